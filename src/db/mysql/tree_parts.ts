/**
 * The parts that a tree of the parser library may have, by the library's names: types of nodes in capitals, their
 * fields in small letters. Whatever is not listed is refused, also what a later release adds.
 */

/** Of queries. */
export const READING_PARTS: ReadonlySet<string> = new Set(
  (
    "AfterTableAlias AllOp AnyOp Assignment Between BigInt BigIntUnsigned Binary BinaryOp Boolean Case Cast Ceil Char Collate " +
    "CompoundIdentifier Convert CrossJoin Custom DateTimeField Datetime Decimal Default Derived Double DoublePrecision Exists " +
    "Explain Expr ExprWithAlias Expressions Extract Float Floor Following ForOrdinality Function HexStringLiteral Identifier InList " +
    "InSubquery Inner Int IntegerLength Interval IsFalse IsNotDistinctFrom IsNotFalse IsNotNull IsNotTrue IsNotUnknown IsNull " +
    "IsTrue IsUnknown Join JsonReturningClause JsonTable Left LeftOuter Like Limit LimitOffset List MatchAgainst MemberOf Named " +
    "NamedWindow NationalStringLiteral Nested NestedJoin Number ObjectName OffsetCommaLimit On OrderBy Position Preceding " +
    "Precision PrecisionAndScale Prefixed QualifiedWildcard Query RLike Real Right RightOuter Select Separator SetOperation Signed " +
    "SingleQuotedByteStringLiteral SingleQuotedString StraightJoin Subquery Substring Table Time Timestamp Trim Tuple TypedString " +
    "UnaryOp Unnamed UnnamedExpr Unsigned Using Value Values Varchar Wildcard WindowSpec Word " +
    "alias args array asc body case_token charset clauses closing_paren_token closing_token collation columns compare_op " +
    "condition conditions content cte_tables data_type describe_alias distinct duplicate_treatment else_result end_bound end_token " +
    "escape_char exists explicit explicit_row expr fetch field flavor for_clause format from group_by having high high_priority " +
    "hint_type in index_hints index_names index_type join_operator joins json_expr json_path keyword kind lateral leading_field " +
    "left length limit limit_clause list low match_value modifier name named_window negated null_treatment nulls_first offset " +
    "on_empty on_error op opening_token operand opt_search_modifier options order_by over parameters parenthesized partition_by " +
    "partitions path pattern prefix projection quantity query quote_style recursive regexp relation result right rows " +
    "select_modifiers select_token selection set_quantifier shorthand special sql_big_result sql_buffer_result sql_calc_found_rows " +
    "sql_no_cache sql_small_result start_bound statement straight_join subquery substring_for substring_from syntax " +
    "table_with_joins token trim_characters trim_what trim_where type unit units uses_odbc_syntax value wildcard_token " +
    "window_before_qualify window_frame window_name with with_ties with_token within_group"
  ).split(" "),
);

/** Of statements that change something, besides those of queries. */
export const CHANGING_PARTS: ReadonlySet<string> = new Set(
  (
    "AddColumn AddConstraint After Algorithm AlterColumn AlterTable Blob ChangeColumn Check Collation ColumnName Comment CreateIndex " +
    "CreateTable CreateView DecimalUnsigned Delete DialectSpecific DropDefault DuplicateKeyUpdate Enum First ForeignKey " +
    "FulltextOrSpatial Generated Index Insert IntUnsigned KeyValue Lock MediumInt MediumIntUnsigned ModifyColumn Name " +
    "NamedParenthesizedList OnUpdate Plain PrimaryKey RenameColumn RenameTable Set SetDefault SetNotNull SmallInt SmallIntUnsigned " +
    "Srid TableName Text TinyInt TinyIntUnsigned To Unique Update WithEq WithFromKeyword WithoutFromKeyword " +
    "algorithm alter_options col_aliases assignments characteristics col_name column column_def column_keyword column_name column_position " +
    "constraint constraints definer delete_token display_as_key enforced equals foreign_table fulltext generated_as " +
    "generated_keyword generation_expr generation_expr_mode hive_distribution if_exists if_not_exists ignore index_name " +
    "index_options index_type_display insert_alias insert_token into key like lock match_kind new_column_name new_name " +
    "nulls_distinct old_column_name old_name on on_delete on_update operations opt_index_name option or_replace params partitioned " +
    "predicate primary_key priority referred_columns replace_into returning row_alias security source table table_alias table_name " +
    "table_options tables target temporary unique update_token using values"
  ).split(" "),
);

/** The operators, by the library's names; an assignment to a variable is one too, and none of these. */
export const OPERATORS: ReadonlySet<string> = new Set(
  ("And Arrow BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Divide Eq Except Gt GtEq Intersect LongArrow Lt LtEq Minus Modulo Multiply " +
    "MyIntegerDivide Not NotEq Or PGBitwiseShiftLeft PGBitwiseShiftRight Plus Spaceship StringConcat Union Xor DropDefault " +
    "BangNot").split(" "),
);
