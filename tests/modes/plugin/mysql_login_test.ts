/**
 * How `saber plugin` logs in to MariaDB where the form says more than a name and a password.
 */
import assert from "node:assert/strict";
import { ownMariadb, removeMariadb, sharedMariadb, TLS_FILES } from "../../support/mariadb_server.ts";
import { mariadbForm } from "../../support/plugin_forms.ts";
import { PluginHost } from "../../support/plugin_host.ts";
import * as shapes from "../../support/plugin_shapes.ts";

Deno.test("MariaDB at the end of a tunnel is verified by the name that the form gives", async () => {
  const params = {
    ...mariadbForm(await sharedMariadb()),
    ssl_mode: "verify_identity",
    ssl_ca: `${TLS_FILES}ca.crt`,
  };
  await using host = new PluginHost(params);
  const as = (name: string) => ({ params: { ...params, extra: { tls_server_name: name } } });
  assert.match((await host.fails("ping")).message, /the host is an address/);
  assert.equal(await host.ask("ping", as("localhost")), null);
  // Deno 2.7 ends the connection without a reason
  const refusal = /certificate does not pass|the connection to the server was lost/;
  assert.match((await host.fails("ping", as("other.example"))).message, refusal);
});

Deno.test("two pipes put texts together where the form says so, in every run", async () => {
  const params = mariadbForm(await sharedMariadb());
  await using host = new PluginHost(params);
  const run = async (pipes_as_concat: boolean) => {
    const fields = { query: "SELECT 'a' || 'b'", limit: null, page: 1, schema: null };
    const sent = await host.ask("execute_query", { ...fields, params: { ...params, pipes_as_concat } });
    return shapes.queryResult.parse(sent).rows;
  };
  for (let turn = 0; turn < 3; turn++) assert.deepEqual(await run(true), [["ab"]]);
  assert.deepEqual(await run(false), [[0]]);
});

Deno.test("a password goes in clear text over TLS alone, and only where the form allows it", async () => {
  // PAM takes the password itself; no user of this name is known to it, so the server must refuse what it gets
  const server = await ownMariadb(["--plugin-load-add=auth_pam_v1", "--pam-use-cleartext-plugin"]);
  try {
    const params = mariadbForm(server);
    await using host = new PluginHost(params);
    const query = "CREATE USER stranger@'%' IDENTIFIED VIA pam USING 'other'";
    await host.ask("execute_query", { query, limit: null, page: 1, schema: null });
    const fails = async (more: Readonly<Record<string, unknown>>) => {
      const stranger = { username: "stranger", password: "never shown", database: null };
      const { message } = await host.fails("test_connection", {
        params: { ...params, ...stranger, ...more },
      });
      assert.doesNotMatch(message, /never shown/);
      return message;
    };
    assert.match(await fails({}), /asks for the password in clear text/);
    assert.match(await fails({ enable_cleartext_plugin: true, ssl_mode: "disabled" }), /in clear text/);
    assert.match(await fails({ enable_cleartext_plugin: true }), /Access denied for user 'stranger'/);
    assert.match(await fails({ use_iam_auth: true }), /Access denied for user 'stranger'/);
  } finally {
    await removeMariadb(server);
  }
});
