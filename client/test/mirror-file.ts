import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../src/command/tail-changes.ts';
import { Classledger, type MirrorBatch, type MirrorStore } from '../src/index.ts';

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

/** `node mirror-file.ts FILE`: updates the mirror and prints a line before it stores a batch. */
if (import.meta.main) {
  const { CLASSLEDGER_URL: url = '', CLASSLEDGER_TOKEN: token = '' } = process.env;
  const file = new MirrorFile(process.argv[2] as string);
  await new Classledger({ url, token }).mirror({
    load: () => file.load(),
    apply: (batch) => {
      process.stdout.write('batch\n');
      file.apply(batch);
    },
  });
}
