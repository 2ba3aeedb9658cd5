/**
 * The store of artifacts: files that tools made for the user. Each lies in a folder of its own, whole or not at all.
 * What is in them is their makers' business.
 */
import { Fault } from "../base/fault.ts";
import { inDraft } from "./draft_folder.ts";
import { fileSum, isIntact } from "./file_sum.ts";

/** The contract's Artifact. */
export interface Artifact {
  /** `art_` and 32 hex digits. */
  readonly id: string;
  /** A file name without folders. */
  readonly name: string;
  readonly kind: "image" | "notebook" | "file";
  readonly mediaType: string;
  /** Bytes of the file, and their SHA-256 as hex. */
  readonly size: number;
  readonly sha256: string;
  /** `file://`. */
  readonly uri: string;
}

export interface Publication extends Pick<Artifact, "name" | "kind" | "mediaType"> {
  /** Writes the file; the folder is the publication's own. */
  write(folder: string, name: string): Promise<void>;
}

export class ArtifactStore {
  readonly #folder: () => Promise<string>;
  readonly #artifacts = new Map<string, Artifact>();

  /** `folder`: where artifacts are kept; asked for when there is one. */
  constructor(folder: () => Promise<string>) {
    this.#folder = folder;
  }

  /** Throws what `write` throws, and Fault `unavailable` where the disk is the reason; then nothing is left. */
  async publish({ write, ...about }: Publication): Promise<Artifact> {
    const parent = await this.#folder();
    const id = `art_${crypto.randomUUID().replaceAll("-", "")}`;
    const sum = await inDraft({ parent, id, what: "the file" }, async (folder) => {
      await write(folder, about.name);
      const path = `${folder}/${about.name}`;
      if (Deno.build.os !== "windows") await Deno.chmod(path, 0o600); // whatever wrote it; Windows has no modes
      return await fileSum(path);
    });
    const artifact = { id, ...about, ...sum, uri: await uriOf(`${parent}/${id}/${about.name}`) };
    this.#artifacts.set(id, artifact);
    return artifact;
  }

  /** Makes an artifact of an earlier session known, of a thread that goes on. */
  adopt(artifact: Artifact): void {
    this.#artifacts.set(artifact.id, artifact);
  }

  /** Throws Fault `unavailable` for an id that is unknown, and for a file that is not there as it was written. */
  async find(id: string): Promise<Artifact> {
    const artifact = this.#artifacts.get(id);
    const path = `${await this.#folder().catch(() => "")}/${id}/${artifact?.name}`;
    if (artifact && await isIntact(path, artifact)) return { ...artifact, uri: await uriOf(path) };
    throw new Fault("unavailable", `Artifact ${JSON.stringify(id.slice(0, 64))} is unavailable.`);
  }
}

async function uriOf(path: string): Promise<string> {
  const { pathToFileURL } = await import("node:url");
  return pathToFileURL(path).href;
}
