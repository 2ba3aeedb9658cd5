/**
 * The built-in functions of MySQL 8 and MariaDB that only compute: no files, no locks, no waiting, nothing changed.
 * Left out, and so refused: LOAD_FILE, SLEEP, BENCHMARK, the lock and replication functions, NEXTVAL and SETVAL,
 * DES_ENCRYPT and DES_DECRYPT (a key file of the server), and whatever nobody has looked at.
 */

/** In lower case. */
export const HARMLESS: ReadonlySet<string> = new Set(
  (
    // numbers
    "abs acos asin atan atan2 bin ceil ceiling conv cos cot crc32 crc32c degrees exp floor greatest least ln log log10 log2 " +
    "mod oct pi pow power radians rand round sign sin sqrt tan truncate bit_count interval to_number " +
    // text
    "ascii bit_length char char_length character_length chr concat concat_ws elt export_set field find_in_set format " +
    "from_base64 hex insert instr lcase left length lengthb locate lower lpad lpad_oracle ltrim ltrim_oracle make_set mid " +
    "natural_sort_key octet_length ord position quote repeat replace replace_oracle reverse right rpad rpad_oracle rtrim " +
    "rtrim_oracle sformat soundex space strcmp substr substr_oracle substring substring_index to_base64 trim trim_oracle " +
    "ucase unhex upper weight_string regexp_instr regexp_like regexp_replace regexp_substr match charset collation coercibility " +
    "convert cast binary extractvalue updatexml to_char " +
    // dates and times
    "add_months adddate addtime convert_tz curdate current_date current_time current_timestamp curtime date date_add " +
    "date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour " +
    "last_day localtime localtimestamp makedate maketime microsecond minute month monthname now period_add period_diff quarter " +
    "sec_to_time second str_to_date subdate subtime sysdate time time_format time_to_sec timediff timestamp timestampadd " +
    "timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear year yearweek " +
    // choices
    "coalesce decode_oracle default if ifnull isnull name_const nullif nvl nvl2 row values any_value grouping " +
    // aggregates and windows
    "avg bit_and bit_or bit_xor count cume_dist dense_rank first_value group_concat json_arrayagg json_objectagg lag last_value " +
    "lead max median min nth_value ntile percent_rank percentile_cont percentile_disc rank row_number std stddev stddev_pop " +
    "stddev_samp sum var_pop var_samp variance st_collect " +
    // documents
    "json_array json_array_append json_array_insert json_array_intersect json_compact json_contains json_contains_path " +
    "json_depth json_detailed json_equals json_exists json_extract json_insert json_keys json_length json_loose json_merge " +
    "json_merge_patch json_merge_preserve json_normalize json_object json_object_filter_keys json_object_to_array json_overlaps " +
    "json_pretty json_query json_quote json_remove json_replace json_schema_valid json_schema_validation_report json_search " +
    "json_set json_storage_free json_storage_size json_table json_type json_unquote json_valid json_value column_check " +
    "column_exists column_get column_json column_list " +
    // hashes, compression, addresses, identifiers
    "aes_decrypt aes_encrypt bin_to_uuid compress inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped " +
    "is_ipv6 is_uuid kdf md5 old_password password random_bytes sha sha1 sha2 statement_digest statement_digest_text sys_guid " +
    "uncompress uncompressed_length uuid uuid_short uuid_to_bin uuid_v4 uuid_v7 " +
    // the session and the server
    "connection_id current_role current_user database found_rows format_bytes format_pico_time gtid_subset gtid_subtract icu_version " +
    "last_insert_id ps_current_thread_id ps_thread_id row_count schema session_user system_user user version " +
    // geometry
    "geometrycollection linestring mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequals mbrintersects mbroverlaps mbrtouches " +
    "mbrwithin multilinestring multipoint multipolygon point polygon st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt " +
    "st_boundary st_buffer st_buffer_strategy st_centroid st_contains st_convexhull st_crosses st_difference st_dimension " +
    "st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring st_frechetdistance st_geohash " +
    "st_geomcollfromtext st_geometryfromtext st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb " +
    "st_hausdorffdistance st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid " +
    "st_latfromgeohash st_latitude st_length st_linefromtext st_lineinterpolatepoint st_longfromgeohash st_longitude st_makeenvelope " +
    "st_numgeometries st_numinteriorrings st_numpoints st_overlaps st_pointatdistance st_pointfromgeohash st_pointfromtext " +
    "st_pointn st_pointonsurface st_polyfromtext st_relate st_simplify st_srid st_startpoint st_swapxy st_symdifference st_touches " +
    "st_transform st_union st_validate st_within st_x st_y " +
    // vectors
    "distance string_to_vector vec_distance vec_distance_cosine vec_distance_euclidean vec_fromtext vec_totext vector_dim " +
    "vector_to_string"
  ).split(" "),
);
