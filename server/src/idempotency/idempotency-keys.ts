import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SchoolData } from '../access/school-data.ts';
import type { Transaction } from '../database/connect.ts';
import { type RunStatement, settleAll } from '../database/transaction.ts';
import { AppError, type ErrorKind } from '../errors/app-error.ts';
import { hideErasedStudents } from './erased-answers.ts';

export interface KeyClaim {
  readonly schoolId: number;
  /** `token` and the id of the credential, or `admin` and the id of the administrator. */
  readonly owner: string;
  readonly key: string;
  /** Method and path with its ids, because a key is valid for one endpoint only. */
  readonly endpoint: string;
  readonly requestId: string;
  /** Encrypts the stored answer, which may hold an initial password; null when the answer holds no secret. */
  readonly secret: string | null;
}

export class ReplayedAnswer {
  readonly requestId: string;
  readonly data: unknown;

  constructor(requestId: string, data: unknown) {
    this.requestId = requestId;
    this.data = data;
  }
}

/** An error about the key itself; never triggers a lookup of the stored answer. */
class KeyConflictError extends AppError {
  constructor(message: string, retryAfterSeconds: number | null = null) {
    super('conflict', message, retryAfterSeconds);
  }
}

const keyInUseError = () =>
  new KeyConflictError('A request with this Idempotency-Key is being processed; try again in a moment', 1);

/** Errors that the first request with this key may have caused. After such an error, look for its stored answer. */
const replayableErrors: ReadonlySet<ErrorKind> = new Set([
  'not_found',
  'out_of_range',
  'school_disabled',
  'conflict',
]);

/** Lets one request at a time use a key in this process. `claimKeys` protects keys against other processes. */
export class KeysInUse {
  readonly #lockNames = new Set<string>();

  /** Runs work; returns a stored answer after a replayable error. @throws AppError conflict while the key is in use */
  async runWithKey<T>(
    claim: KeyClaim | null,
    data: SchoolData | null,
    work: () => Promise<T>,
  ): Promise<T | ReplayedAnswer> {
    if (!claim || !data) return work();
    const name = lockName(claim);
    if (this.#lockNames.has(name)) {
      // The other request may be a retry whose answer is stored already; then both return that answer.
      const earlier = await findReplay(data, claim);
      if (earlier) return earlier;
      throw keyInUseError();
    }
    this.#lockNames.add(name);
    try {
      return await work();
    } catch (error) {
      const isReplayable =
        error instanceof AppError && !(error instanceof KeyConflictError) && replayableErrors.has(error.kind);
      const earlier = isReplayable ? await findReplay(data, claim) : null;
      if (earlier) return earlier;
      throw error;
    } finally {
      this.#lockNames.delete(name);
    }
  }
}

const lockName = ({ schoolId, owner, key }: KeyClaim) => `${schoolId} ${owner} ${key}`;

/** The lock ends with the transaction, so a process that dies leaves the key unused. */
const lockKeys = `
  SELECT pg_try_advisory_xact_lock(hashtextextended(c.lock_name, 0)) AS free
  FROM unnest($1::text[]) WITH ORDINALITY AS c (lock_name, position)
  ORDER BY c.position`;

/** A stored key counts until housekeeping drops its day. The subquery makes the planner use the index of each day. */
const findAnswers = `
  SELECT k.endpoint, k.request_id AS "requestId", k.answer
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS c (owner, key, position)
  LEFT JOIN LATERAL (
    SELECT * FROM idempotency_key WHERE school_id = $1 AND owner = c.owner AND key = c.key LIMIT 1
  ) k ON true
  ORDER BY c.position`;

/** With this SQL comment, the trigger of the table does not check again whether the keys are stored. */
const insertAnswers = `
  INSERT INTO idempotency_key (school_id, owner, key, endpoint, request_id, answer, created_at) /* not stored yet */
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::uuid[], $6::bytea[], $7::timestamptz[])`;

interface StoredRow {
  readonly endpoint: string | null;
  readonly requestId: string;
  readonly answer: Buffer;
}

/** Locks keys and finds their answers; null for a new key. Reads after locking, to see earlier commits. */
export async function claimKeys(
  run: RunStatement,
  schoolId: number,
  claims: readonly KeyClaim[],
): Promise<(null | ReplayedAnswer | AppError)[]> {
  const [locks, rows] = await settleAll([
    run<{ free: boolean }>(lockKeys, [claims.map(lockName)]),
    run<StoredRow>(findAnswers, [
      schoolId,
      claims.map((claim) => claim.owner),
      claims.map((claim) => claim.key),
    ]),
  ] as const);
  const claimed = claims.map((claim, i) => {
    const row = rows[i];
    if (row && row.endpoint !== null) return openStoredAnswer(row, claim);
    return locks[i]?.free ? null : keyInUseError();
  });
  const replays = claimed.flatMap((each) => (each instanceof ReplayedAnswer ? [each.data] : []));
  await hideErasedStudents(run, schoolId, replays);
  return claimed;
}

/** Returns the stored answer of a key. @throws AppError conflict for a key of another endpoint or an earlier session */
async function findReplay(data: SchoolData, claim: KeyClaim): Promise<ReplayedAnswer | null> {
  const { schoolId, owner, key } = claim;
  const row = await data
    .selectFrom('idempotency_key')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .select(['endpoint', 'request_id as requestId', 'answer'])
    .executeTakeFirst();
  if (!row) return null;
  const answer = openStoredAnswer(row, claim);
  if (answer instanceof AppError) throw answer;
  await hideErasedStudents((text, values) => data.run(text, values), schoolId, [answer.data]);
  return answer;
}

export interface SealedAnswer {
  readonly claim: KeyClaim;
  readonly sealed: Buffer;
  readonly at: string;
}

export const sealAnswer = (claim: KeyClaim, data: unknown, at: Date): SealedAnswer => ({
  claim,
  sealed: seal(claim, JSON.stringify(data)),
  at: at.toISOString(),
});

/** Stores the answers of claimed keys of one school, in the transaction of the requests' effects. */
export async function storeAnswers(
  run: RunStatement,
  schoolId: number,
  answers: readonly SealedAnswer[],
): Promise<void> {
  if (answers.length === 0) return;
  await run(insertAnswers, [
    schoolId,
    answers.map(({ claim }) => claim.owner),
    answers.map(({ claim }) => claim.key),
    answers.map(({ claim }) => claim.endpoint),
    answers.map(({ claim }) => claim.requestId),
    answers.map(({ sealed }) => sealed),
    answers.map(({ at }) => at),
  ]);
}

function openStoredAnswer(row: StoredRow, claim: KeyClaim): ReplayedAnswer | AppError {
  if (row.endpoint !== claim.endpoint) {
    return new KeyConflictError('This Idempotency-Key was used on another endpoint and cannot be used here');
  }
  try {
    return new ReplayedAnswer(row.requestId, JSON.parse(unseal(claim, row.answer)));
  } catch {
    // The answer was encrypted with another secret, for example by a session that has ended.
    return new KeyConflictError(
      'This Idempotency-Key was used in an earlier session, and only that session can read the response',
    );
  }
}

const nonceLength = 12;
const tagLength = 16;

const sealingKey = (secret: string, claim: KeyClaim) =>
  new Uint8Array(hkdfSync('sha256', secret, claim.key, 'classledger idempotent answer', 32));

/** Uses AES-256-GCM with the caller's secret, so that the database alone cannot reveal the answer. */
function seal(claim: KeyClaim, text: string): Buffer {
  if (claim.secret === null) return Buffer.from(text, 'utf8');
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(claim.secret, claim), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function unseal(claim: KeyClaim, sealed: Buffer): string {
  if (claim.secret === null) return sealed.toString('utf8');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    sealingKey(claim.secret, claim),
    sealed.subarray(0, nonceLength),
  );
  decipher.setAuthTag(sealed.subarray(-tagLength));
  const text = decipher.update(sealed.subarray(nonceLength, -tagLength));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

export interface KeyedCall {
  readonly data: SchoolData;
  readonly at: Date;
  readonly key: KeyClaim | null;
}

/** Runs work once per idempotency key. The effect and the answer commit together; an error leaves the key unused. */
export function runOnce<T>(
  { data, key, at }: KeyedCall,
  work: (own: SchoolData, tx: Transaction) => Promise<T>,
): Promise<T | ReplayedAnswer> {
  return data.transaction(async (own, tx) => {
    if (!key) return work(own, tx);
    const run: RunStatement = (text, values) => own.run(text, values);
    const [claimed] = await claimKeys(run, key.schoolId, [key]);
    if (claimed instanceof Error) throw claimed;
    if (claimed) return claimed;
    const answer = await work(own, tx);
    await storeAnswers(run, key.schoolId, [sealAnswer(key, answer, at)]);
    return answer;
  });
}

/** Runs like `runOnce`, but prepares before the transaction, unless an answer is stored already. */
export async function runOncePrepared<P, T>(
  call: KeyedCall,
  prepare: () => Promise<P>,
  work: (own: SchoolData, prepared: P, tx: Transaction) => Promise<T>,
): Promise<T | ReplayedAnswer> {
  const earlier = call.key && (await findReplay(call.data, call.key));
  if (earlier) return earlier;
  const prepared = await prepare();
  return runOnce(call, (own, tx) => work(own, prepared, tx));
}
