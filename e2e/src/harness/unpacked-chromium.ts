import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sparticuz, { inflate } from '@sparticuz/chromium';

/**
 * Unpacks Chromium with its libraries and font into one temporary folder per version, for later runs too.
 * Test files may unpack in parallel; the first to finish wins.
 */
export async function unpackChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const packageFolder = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(tmpdir(), `classledger-chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder, join(packageFolder, 'bin'));
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

async function unpackInto(folder: string, packed: string): Promise<void> {
  const own = await mkdtemp(`${folder}-`);
  const { TMPDIR } = process.env;
  try {
    // The package unpacks into TMPDIR and trusts any files there.
    process.env.TMPDIR = own;
    await sparticuz.executablePath(packed);
    await inflate(join(packed, 'al2023.tar.br'));
    await writeFile(join(own, 'fonts.conf'), fontConfiguration(folder));
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    // Another process finished first.
    if (!existsSync(folder)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** Allows only the bundled font, so that pages have the same size on every machine. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}
