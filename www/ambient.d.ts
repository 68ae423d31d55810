// As much of Node as the entry for Node asks of it: Node's own types would bring its globals into files for pages.

declare module "node:fs/promises" {
  export function readFile(file: URL): Promise<Uint8Array<ArrayBuffer>>;
}
