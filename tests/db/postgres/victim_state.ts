/**
 * Everything that an attack of the list could have changed in a database made by VICTIM, and beside it.
 */
import { join } from "node:path";
import { exists } from "../../support/cached_folder.ts";
import { adminClient, type PostgresServer } from "../../support/postgres_server.ts";

const STATE = `SELECT ARRAY[
  (SELECT string_agg(plain::text, ',' ORDER BY id) FROM plain),
  (SELECT string_agg(relname, ',' ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
  (SELECT string_agg(oid::text, ',' ORDER BY oid) FROM pg_largeobject_metadata),
  (SELECT string_agg(encode(data, 'hex'), ',' ORDER BY loid, pageno) FROM pg_largeobject),
  (SELECT string_agg(rolname || coalesce(rolpassword, ''), ',' ORDER BY oid) FROM pg_authid),
  (SELECT string_agg(slot_name, ',') FROM pg_replication_slots),
  (SELECT string_agg(roname, ',') FROM pg_replication_origin),
  (SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory'),
  (SELECT count(*)::text FROM pg_db_role_setting),
  (SELECT count(*)::text FROM pg_proc),
  (SELECT count(*)::text FROM pg_collation),
  (SELECT last_value::text FROM counter),
  (SELECT sourcefile FROM pg_settings WHERE name = 'log_statement'),
  (SELECT pg_stat_get_db_stat_reset_time(oid)::text FROM pg_database WHERE datname = current_database())
]::text AS state`;

/** The statement of the list, aimed at this server and database. */
export function aimed(sql: string, server: PostgresServer, database: string): string {
  const dsn = `host=${server.folder} port=${server.port} dbname=${database} user=local password=local`;
  return sql.replaceAll(":secret", join(server.folder, "secret"))
    .replaceAll(":out", join(server.folder, "out")).replaceAll(":dsn", dsn).replaceAll(":lo", "4242");
}

/** Two of these are the same when nothing was changed. */
export async function victimState(server: PostgresServer, database: string): Promise<string> {
  const admin = adminClient(server, database);
  const [row] = await admin.unsafe(STATE);
  await admin.end();
  return `${row?.state} ${await exists(join(server.folder, "out"))}`;
}
