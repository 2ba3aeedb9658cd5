/**
 * User management on one server: what is granted is told, and is gone when it is taken back.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { PluginHost } from "../support/plugin_host.ts";
import { type PluginFixture, runAll } from "./plugin_fixture.ts";

const words = z.array(z.string().check(z.minLength(1)));
const catalog = z.strictObject({ database: words, global: words, table: words });
const users = z.array(z.strictObject({ user: z.string(), host: z.string(), locked: z.boolean() }));
const privileges = z.array(
  z.strictObject({ database: z.nullable(z.string()), table: z.nullable(z.string()), privileges: words }),
);

export function pluginUsers(engine: string, make: () => Promise<PluginFixture>): void {
  Deno.test(`saber plugin on ${engine} manages users`, async () => {
    const fixture = await make();
    await using host = new PluginHost(fixture.params);
    const name = `o'${crypto.randomUUID().slice(0, 8)}`;
    const user = { user: name, host: fixture.userHost };
    const own = async () =>
      users.parse(await host.ask("get_db_users")).filter((each) =>
        each.user === name && each.host === user.host
      );
    try {
      await runAll(host, fixture.create, null);
      await runAll(host, fixture.setup, fixture.schema);
      catalog.parse(await host.ask("get_db_privilege_catalog"));
      assert.equal(await host.ask("create_db_user", { ...user, password: "it's \\ secret" }), null);
      assert.deepEqual(await own(), [{ ...user, locked: false }]);
      const place = { database: fixture.schema, table: "item" };
      const change = { ...user, ...place, privileges: ["select", "UPDATE"] };
      assert.equal(await host.ask("apply_db_user_privileges", { ...change, grant: true }), null);
      const onTable = async () =>
        privileges.parse(await host.ask("get_db_user_privileges", user)).filter(({ table }) =>
          table === "item"
        );
      assert.deepEqual(await onTable(), [{ ...place, privileges: ["SELECT", "UPDATE"] }]);
      const grants = z.array(z.string()).parse(await host.ask("get_db_user_grants", user));
      assert.ok(grants.some((text) => /GRANT SELECT, UPDATE ON .*item/i.test(text)), grants.join("\n"));
      assert.equal(await host.ask("apply_db_user_privileges", { ...change, grant: false }), null);
      assert.deepEqual(await onTable(), []);
      const unknown = { ...change, privileges: ["SELECT; DROP TABLE item"], grant: true };
      assert.equal((await host.fails("apply_db_user_privileges", unknown)).code, -32602);
      assert.equal(await host.ask("set_db_user_password", { ...user, password: "another one" }), null);
      assert.equal(await host.ask("drop_db_user", user), null);
      assert.deepEqual(await own(), []);
    } finally {
      await runAll(host, fixture.cleanup, null);
      await fixture.dispose();
    }
  });
}
