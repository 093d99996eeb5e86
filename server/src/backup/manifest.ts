import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { BackupError } from './backup-error.ts';

const Text = Type.String({ maxLength: 1_000 });
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
const Timestamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const TableInBackup = Type.Object({
  name: Text,
  columns: Type.Array(Text),
  /** First and last day (UTC) of the rows; null without daily partitions or rows. */
  days: orNull(Type.Object({ first: Day, last: Day })),
  /** The identity column and its last generated value; null if unknown. */
  identity: orNull(Type.Object({ column: Text, last: orNull(Id) })),
});
export type TableInBackup = Static<typeof TableInBackup>;

const Manifest = Type.Object({
  product: Text,
  /** Time of the snapshot, by the database's clock. */
  createdAt: Timestamp,
  migrations: Type.Array(Text),
  /** Null for a whole installation. */
  school: orNull(Type.Object({ id: Id, name: Text, createdAt: Timestamp })),
  /** In the order in which they are restored. */
  tables: Type.Array(TableInBackup),
});
export type Manifest = Static<typeof Manifest>;

const manifestForm = Compile(Manifest);

/** Checks the form of a manifest, but not whether its tables and columns exist. @throws BackupError */
export function readManifest(header: Record<string, unknown>): Manifest {
  if (header.kind === 'manifest' && manifestForm.Check(header)) return header;
  throw new BackupError('The backup is damaged (its manifest cannot be understood)');
}
