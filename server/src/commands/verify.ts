import type { Config } from '../config/config.ts';
import { type Verification, verifyLedger } from '../features/scores/verify-ledger.ts';
import { withoutControlCharacters } from '../telemetry/log-stream.ts';
import { openDatabase } from './open-database.ts';
import type { StopRequest } from './stop-request.ts';

/** Checks totals against the ledger. @returns the exit code: 1 if a total is wrong @throws StopRequestedError */
export async function verify(config: Config, stop: StopRequest): Promise<number> {
  const database = await openDatabase(config, stop.requested, 'join');
  try {
    return printDifferences(await stop.waitFor(verifyLedger(database.connection.db)));
  } finally {
    await database.close();
  }
}

/** Prints the result of a check. @returns the exit code */
export function printDifferences({ students, records, differences }: Verification): number {
  for (const { schoolId, what, stored, proven } of differences) {
    console.log(
      withoutControlCharacters(`school ${schoolId}, ${what}: stored ${stored}; the ledger gives ${proven}`),
    );
  }
  console.log(
    `${students} students and ${records} live records: ${differences.length === 0 ? 'all totals follow from the ledger' : `${differences.length} differences`}`,
  );
  return differences.length === 0 ? 0 : 1;
}
