/**
 * The connection form of `saber plugin` as the host sends it for the test servers.
 */
import { ADMIN as MARIADB_ADMIN, type MariadbServer } from "./mariadb_server.ts";
import { ADMIN as POSTGRES_ADMIN, type PostgresServer } from "./postgres_server.ts";

export function postgresForm({ port }: PostgresServer, database: string) {
  const { user: username, password } = POSTGRES_ADMIN;
  return { driver: "saber-postgres", host: "127.0.0.1", port, username, password, database };
}

export function mariadbForm({ port }: MariadbServer) {
  const { user: username, password } = MARIADB_ADMIN;
  return { driver: "saber-mysql", host: "127.0.0.1", port, username, password, database: "shop" };
}
