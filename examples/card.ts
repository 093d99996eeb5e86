/**
 * A card terminal: `node card.ts FOLDER`. Each input line is a card number, or number,time. A swipe gives one point.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, Classledger, ClassledgerError } from '@classledger/client';

const { CLASSLEDGER_URL: url = '', CLASSLEDGER_TOKEN: token = '' } = process.env;
const client = new Classledger({ url, token, userAgent: 'card-terminal/1.0' });

const folder = process.argv[2] ?? 'terminal';
const swipesFile = `${folder}/swipes.jsonl`;
const stateFile = `${folder}/state.json`;
mkdirSync(folder, { recursive: true });

interface Swipe {
  readonly cardNumber: string;
  /** Absent: the server uses the time of arrival. */
  readonly occurredAt?: string;
  /** The index of the refused swipe that it repeats. */
  readonly again?: number;
}

/** Swipes before `done` are settled. Swipes up to `sending` went out under a key and may have arrived. */
interface State {
  readonly queue: string;
  readonly done: number;
  readonly sending: number;
  readonly since: string;
}

const stored = existsSync(swipesFile) ? readFileSync(swipesFile, 'utf8') : '';
// A kill may leave part of a line, for which the terminal has not beeped.
const whole = stored.slice(0, stored.lastIndexOf('\n') + 1);
if (whole !== stored) truncateSync(swipesFile, Buffer.byteLength(whole));
const swipes = whole
  .split('\n')
  .slice(0, -1)
  .map((line) => JSON.parse(line) as Swipe);
let state: State = existsSync(stateFile)
  ? (JSON.parse(readFileSync(stateFile, 'utf8')) as State)
  : { queue: crypto.randomUUID(), done: 0, sending: 0, since: '' };

/** Renames a complete file, so a kill leaves the old state or the new one. */
function remember(next: Partial<State>): void {
  state = { ...state, ...next };
  writeFileSync(`${stateFile}.new`, JSON.stringify(state), { flush: true });
  renameSync(`${stateFile}.new`, stateFile);
}

function store(line: string): void {
  const [cardNumber = '', occurredAt = new Date().toISOString()] = line.trim().split(',');
  if (cardNumber === '') return;
  append({ cardNumber, occurredAt });
  console.log('beep', cardNumber);
}

function append(swipe: Swipe): void {
  appendFileSync(swipesFile, `${JSON.stringify(swipe)}\n`, { flush: true });
  swipes.push(swipe);
}

/** Repeats a swipe without its time, which a fast clock set in the future. It repeats each swipe only once. */
function sendLater(place: number): void {
  const { cardNumber } = swipes[place] as Swipe;
  if (!swipes.some(({ again }) => again === place)) append({ cardNumber, again: place });
}

/** Sends up to 200 swipes. It first repeats an interrupted call unchanged, under its key. */
async function sendSome(): Promise<void> {
  if (state.sending === state.done) {
    remember({ sending: Math.min(swipes.length, state.done + 200), since: new Date().toISOString() });
  } else if (Date.now() - Date.parse(state.since) > 24 * 3600 * 1000) {
    // The server keeps keys for a day. After that, only a person can find out.
    throw new Error(
      `Swipes ${state.done} to ${state.sending} went out at ${state.since}: look whether they count`,
    );
  }
  const items = swipes.slice(state.done, state.sending).map(({ again, ...item }) => item);
  const idempotencyKey = `card-${state.queue}-${state.done}-${state.sending}`;
  const common = { scoreChange: 1, description: 'On time at the gate' };
  const { details } = await client.writeScores({ ...common, items }, { idempotencyKey });
  for (const { success, index, reason } of details) {
    if (success) continue;
    if (reason?.includes('lies in the future')) sendLater(state.done + index);
    else console.error(`Refused: ${items[index]?.cardNumber}: ${reason}`);
  }
  remember({ done: state.sending });
  console.log('sent', state.done);
}

let isOpen = true;
const input = createInterface({ input: process.stdin });
input.on('line', store);
input.on('close', () => {
  isOpen = false;
});

while (isOpen || state.done < swipes.length) {
  try {
    if (state.done < swipes.length) await sendSome();
    else await sleep(100);
  } catch (error) {
    // The client has retried already. If the server refuses the whole call, a person must act.
    if (!(error instanceof ClassledgerError) || (error instanceof ApiError && error.status < 500))
      throw error;
    console.error(error.message);
    if (!isOpen) process.exit(1);
    await sleep(30_000);
  }
}
