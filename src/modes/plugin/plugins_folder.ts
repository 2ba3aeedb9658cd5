/**
 * Where the host looks for its plugins.
 */
import type { App } from "../../app.ts";

/** The folder of this system: one of an older host where there is one, else the present one. */
export async function pluginsFolder({ config }: Pick<App, "config">): Promise<string> {
  const [present, older] = candidates(config.folders.home, config.environment);
  return older !== undefined && !await isFolder(present) && await isFolder(older) ? older : present;
}

function candidates(
  home: string,
  environment: App["config"]["environment"],
): readonly [present: string, older?: string] {
  switch (Deno.build.os) {
    case "windows": {
      const root = environment.APPDATA || `${home}/AppData/Roaming`;
      return [`${root}/tabularis/plugins`, `${root}/debba/tabularis/data/plugins`];
    }
    case "darwin": {
      const root = `${home}/Library/Application Support`;
      return [`${root}/tabularis/plugins`, `${root}/com.debba.tabularis/plugins`];
    }
    default:
      return [`${environment.XDG_DATA_HOME || `${home}/.local/share`}/tabularis/plugins`];
  }
}

/** The driver's folder: beside the others of its kind where the host keeps them apart, since that copy wins. */
export async function driverFolder(plugins: string, id: string): Promise<string> {
  const apart = `${plugins}/drivers`;
  return `${await isFolder(apart) ? apart : plugins}/${id}`;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}
