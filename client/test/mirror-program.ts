import { Classledger } from '../src/index.ts';
import { MirrorFile } from './mirror-file.ts';

/** `node mirror-program.ts FILE`: updates the mirror and prints a line before it stores a batch. */
const { CLASSLEDGER_URL: url = '', CLASSLEDGER_TOKEN: token = '' } = process.env;
const file = new MirrorFile(process.argv[2] as string);
await new Classledger({ url, token }).mirror({
  load: () => file.load(),
  apply: (batch) => {
    process.stdout.write('batch\n');
    file.apply(batch);
  },
});
