/**
 * What the commands of `saber plugin` share: the settings, and the connections by what the host says of them.
 */
import type { App } from "../../app.ts";
import { Fault, toFault } from "../../base/fault.ts";
import { type Log, quieter } from "../../base/log.ts";
import type { EngineName } from "../../db/driver.ts";
import type { Workbench } from "../../db/workbench.ts";
import { Connection } from "./connection.ts";
import type { ConnectionParams } from "./connection_params.ts";
import { DRIVER_IDS, type DriverId, DRIVERS, isDriver } from "./drivers.ts";
import { readSettings, type Settings } from "./settings.ts";

/** How long a connection may be unused before all of it is forgotten, in milliseconds. */
const IDLE_MS = 600_000;
/** How long a session may lie unused: files are then free for other programs, in milliseconds. */
const SESSION_IDLE_MS = 30_000;
/** How often idle things are looked for, in milliseconds. */
const SWEEP_MS = 60_000;

/** What it needs of the program. */
export interface Parts extends Pick<App, "workbench" | "openWork" | "log"> {
  /** The folder that `~` stands for. */
  readonly home: string;
}

export class Plugin {
  readonly #app: Parts;
  readonly #driver: DriverId | undefined;
  readonly #connections = new Map<string, Promise<Connection>>();
  readonly #sweep: ReturnType<typeof setInterval>;
  /** As the settings have it. */
  readonly log: Log;
  #settings: Settings = readSettings({});

  /** `driver`: what the launcher says, and then the only one that requests may name. */
  constructor(app: Parts, driver: DriverId | undefined) {
    this.#app = app;
    this.log = quieter(app.log, () => this.#settings.logLevel);
    this.#driver = driver;
    this.#sweep = setInterval(() => void this.#forgetIdle(), SWEEP_MS);
    Deno.unrefTimer(this.#sweep);
  }

  /** For connections that are opened from now on. */
  configure(settings: unknown): void {
    this.#settings = readSettings(settings);
  }

  /** The engine's SQL, for requests that name no connection. Throws Fault `bad_request`. */
  async workbench(driver?: string): Promise<Workbench> {
    return await this.#app.workbench(this.#engine(driver));
  }

  /** Throws Fault: bad_request, bad_target. */
  async connection(params: ConnectionParams): Promise<Connection> {
    const key = JSON.stringify(params);
    const opening = this.#connections.get(key) ?? this.#open(params);
    this.#connections.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      this.#connections.delete(key);
      throw error;
    }
  }

  /** Ends a connection, so that the next request begins anew. */
  async forget(params: ConnectionParams): Promise<void> {
    const key = JSON.stringify(params);
    const found = this.#connections.get(key);
    this.#connections.delete(key);
    await (await found?.catch(() => undefined))?.close();
  }

  /** Undoes what the tab has left open, whatever connection it is on. */
  async releaseTab(id: string): Promise<void> {
    const connections = await Promise.all(
      [...this.#connections.values()].map((each) => each.catch(() => undefined)),
    );
    await Promise.all(connections.map((connection) => connection?.tabs.release(id)));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const all = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.allSettled(all.map(async (each) => await (await each).close()));
  }

  async #open(params: ConnectionParams): Promise<Connection> {
    const settings = this.#settings;
    const engine = this.#engine(params.driver);
    const { timeZone = settings.timeZone, ...place } = params.address;
    const opening = this.#app.openWork(engine, { ...place, timeZone }, {
      access: settings.access,
      statementMs: settings.statementTimeoutMs,
      connectMs: settings.connectTimeoutMs,
      home: this.#app.home,
      applicationName: params.applicationName,
      startup: params.startup,
      size: settings.poolMaxSize,
      idleMs: SESSION_IDLE_MS,
    });
    const work = await opening.catch((error) => {
      const { code, message } = toFault(error);
      this.log(`A connection to ${engine} could not be opened: ${code}`, { level: "warning" });
      // nothing was reached yet: the form itself is wrong
      throw code === "bad_target" ? new Fault("bad_request", message) : error;
    });
    this.log(`A connection to ${engine} is open`, { level: "info" });
    const name = params.address.database?.replace(/[\\/]+$/, "").replace(/^.*[\\/]/, "");
    return new Connection(work, { settings, name: name || "database" });
  }

  #engine(named: string | undefined): EngineName {
    const started = this.#driver;
    const id = isDriver(named) ? named : started;
    if (id === undefined) {
      throw new Fault(
        "bad_request",
        `Cannot choose the engine: the driver is unknown. Start the plugin with --driver and one of ${
          DRIVER_IDS.join(", ")
        }.`,
      );
    }
    if (started !== undefined && id !== started) {
      throw new Fault(
        "bad_request",
        `Cannot serve ${id}: this plugin was started with --driver ${started}, and has given up the permissions that others need. Start it without --driver for all of them.`,
      );
    }
    return DRIVERS[id];
  }

  async #forgetIdle(): Promise<void> {
    for (const [key, opening] of this.#connections) {
      const connection = await opening.catch(() => undefined);
      await connection?.tabs.releaseIdle();
      if (!connection?.isIdle || Date.now() - connection.lastUse < IDLE_MS) continue;
      this.#connections.delete(key);
      await connection.close();
    }
  }
}
