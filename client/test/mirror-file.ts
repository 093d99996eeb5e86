import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../src/command/replace-file.ts';
import type { MirrorBatch, MirrorStore } from '../src/index.ts';

export class MirrorFile implements MirrorStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get content(): { readonly place: string | null; readonly things: Readonly<Record<string, unknown>> } {
    return existsSync(this.#path)
      ? JSON.parse(readFileSync(this.#path, 'utf8'))
      : { place: null, things: {} };
  }

  load(): string | null {
    return this.content.place;
  }

  apply({ begins, changes, place }: MirrorBatch): void {
    const things = begins ? {} : { ...this.content.things };
    for (const { type, id, record } of changes) {
      if (record) things[`${type} ${id}`] = record;
      else delete things[`${type} ${id}`];
    }
    replaceFile(this.#path, JSON.stringify({ place, things }));
  }
}
