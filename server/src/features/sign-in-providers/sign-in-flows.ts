import { createHmac, hash, randomBytes } from 'node:crypto';
import type { SignInProvider } from '@classledger/contract';
import type { Selectable } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import type { Account } from '../../access/known-devices.ts';
import { findAdminAccount } from '../../access/passwords.ts';
import type { Sealing } from '../../access/sealing.ts';
import { AdminSessions, type Device, type OpenedSession } from '../../access/sessions.ts';
import { SignInRefused } from '../../access/sign-in-refusal.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { inTransaction, violatesForeignKey } from '../../database/transaction.ts';
import { issueSignInCode } from '../students/sign-in-code.ts';
import { type Claims, type Flow, type ProviderAdapter, ProviderTrouble } from './adapters/adapter.ts';
import { isBoundAdministrator, matchAdministrator, matchStudent } from './match-account.ts';
import { openProvider, type StoredProvider, usableProvider } from './stored-providers.ts';

/** So long somebody may be at the provider. */
export const flowLastsMs = 600_000;
/** The page that a student comes back to fetches the session at once. */
const handOverMs = 60_000;

/** What a browser is sent to a provider for. */
export type Purpose = 'administrator' | 'student' | 'confirmation';

interface Start {
  readonly schoolId: number;
  readonly providerId: number;
  readonly purpose: Purpose;
  /** A window above the page: it closes itself. */
  readonly popup: boolean;
  /** On a computer that others use too. */
  readonly shared: boolean;
  /** Whether the session of an administrator asks for confirmations. */
  readonly asksConfirmations: boolean;
  /** Where the person goes on; one of our own pages. */
  readonly returnPath: string;
  /** What the browser has kept of an earlier start; empty without. */
  readonly browser: string;
  /** Of the browser; empty without. */
  readonly session: string;
  readonly redirectUri: string;
  readonly device: Device;
}

interface Return extends Pick<Start, 'browser' | 'session' | 'redirectUri' | 'device'> {
  readonly query: URLSearchParams;
}

type Begun = Selectable<Tables['sign_in_flow']>;

/** Where the person goes on, and as whom. */
export type Outcome = { readonly popup: boolean; readonly returnPath: string } & (
  | { readonly as: 'administrator'; readonly opened: OpenedSession; readonly account: Account | null }
  | { readonly as: 'student'; readonly code: string }
  | { readonly as: 'confirmed' }
);

export interface SignInFlowParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sessions: AdminSessions;
  readonly events: AccountEvents;
  readonly adapters: Readonly<Record<SignInProvider['kind'], ProviderAdapter>>;
}

/** Made here alone, so that it fits the cookie and the table. */
const browserPattern = /^[\w-]{43}$/;
const statePattern = /^([1-9][0-9]{0,14})\.[\w-]{43}$/;

const secret = () => randomBytes(32).toString('base64url');
const hashOf = (text: string) => hash('sha256', text, 'buffer');

/**
 * What belongs to one sign-in. Nonce and verifier follow from what the browser keeps and the state, so the table holds
 * nothing that would let anybody else finish it.
 */
const flowOf = (browser: string, state: string, redirectUri: string, provenSince: Date | null): Flow => {
  const derived = (what: string) =>
    createHmac('sha256', browser).update(`${what} ${state}`).digest('base64url');
  return { redirectUri, state, nonce: derived('nonce'), verifier: derived('verifier'), provenSince };
};

/** Sends browsers to providers of schools, and signs in who comes back (docs/contract.md, Single sign-on). */
export class SignInFlows {
  readonly #parts: SignInFlowParts;

  constructor(parts: SignInFlowParts) {
    this.#parts = parts;
  }

  /**
   * @returns the address at the provider, and what the browser is to keep
   * @throws SignInRefused unknown, notConfirmed, unreachable, invalid
   */
  async start(start: Start): Promise<{ readonly address: string; readonly browser: string }> {
    const { db, clock, sessions, adapters } = this.#parts;
    const { schoolId, purpose, redirectUri } = start;
    const provider = await this.#provider(schoolId, start.providerId, purpose);
    const isConfirmation = purpose === 'confirmation';
    if (isConfirmation) {
      const found = await sessions.find(start.session, start.device);
      if (found?.admin.schoolId !== schoolId)
        throw new SignInRefused('notConfirmed', 'no session of the school');
    }
    const browser = browserPattern.test(start.browser) ? start.browser : secret();
    const state = `${schoolId}.${secret()}`;
    const at = clock();
    const flow = flowOf(browser, state, redirectUri, isConfirmation ? at : null);
    // Only what the provider can be asked for is kept.
    const address = await adapters[provider.kind].start(provider, flow).catch(refused);
    await db
      .insertInto('sign_in_flow')
      .values({
        school_id: schoolId,
        state_hash: hashOf(state),
        browser_hash: hashOf(browser),
        provider_id: provider.id,
        purpose,
        session_hash: isConfirmation ? hashOf(start.session) : null,
        popup: start.popup,
        shared: start.shared,
        asks_confirmations: start.asksConfirmations,
        return_path: start.returnPath,
        created_at: at,
      })
      .execute()
      .catch((error: unknown) => {
        // Deleted while it was asked.
        throw violatesForeignKey(error) ? unknown(provider.id) : error;
      });
    return { address, browser };
  }

  /**
   * Ends a sign-in that was begun in this browser, once: of two returns with the same state, one finds it.
   *
   * @throws SignInRefused
   */
  async finish(way: Return): Promise<Outcome> {
    const { db, clock } = this.#parts;
    const { query, browser } = way;
    const [state = '', ...more] = query.getAll('state');
    const schoolId = Number(statePattern.exec(state)?.[1] ?? 0);
    if (schoolId === 0 || more.length > 0 || !browserPattern.test(browser)) {
      throw new SignInRefused('ended', 'no state, or no cookie');
    }
    const begun = await db
      .deleteFrom('sign_in_flow')
      .where('school_id', '=', schoolId)
      .where('state_hash', '=', hashOf(state))
      // Another browser cannot even end it.
      .where('browser_hash', '=', hashOf(browser))
      .returningAll()
      .executeTakeFirst();
    const now = clock();
    if (!begun || now.getTime() - Date.parse(begun.created_at) > flowLastsMs) {
      throw new SignInRefused('ended', begun ? 'too late' : 'no such state in this browser');
    }
    const wayBack = begun.popup ? null : begun.purpose === 'student' ? '/student' : '/admin';
    try {
      return await this.#goOn(begun, way);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      throw new SignInRefused(error.reason, error.message, wayBack);
    }
  }

  /** Asks the provider who has come back. */
  async #goOn(begun: Begun, { query, browser, session, redirectUri, device }: Return): Promise<Outcome> {
    const { adapters } = this.#parts;
    const { purpose, popup, shared, asks_confirmations: asksConfirmations, return_path: returnPath } = begun;
    const [state = ''] = query.getAll('state');
    const provider = await this.#provider(begun.school_id, begun.provider_id, purpose);
    const provenSince = purpose === 'confirmation' ? new Date(begun.created_at) : null;
    const flow = flowOf(browser, state, redirectUri, provenSince);
    const claims = await adapters[provider.kind].finish(provider, flow, query, provider.claim).catch(refused);
    const back = { popup, returnPath };
    switch (purpose) {
      case 'administrator': {
        const signedIn = await this.#openSession(provider, claims, {
          session,
          shared,
          asksConfirmations,
          device,
        });
        return { ...back, as: 'administrator', ...signedIn };
      }
      case 'student':
        return { ...back, as: 'student', code: await this.#handOver(provider, claims, device) };
      case 'confirmation':
        if (!begun.session_hash?.equals(hashOf(session))) {
          throw new SignInRefused('notConfirmed', 'another session');
        }
        await this.#confirm(provider, claims, session, device);
        return { ...back, as: 'confirmed' };
    }
  }

  /** @throws SignInRefused unknown */
  async #provider(schoolId: number, id: number, purpose: Purpose): Promise<StoredProvider> {
    const { db, sealing } = this.#parts;
    const row = await usableProvider(db, schoolId, id);
    const isFor = purpose === 'student' ? row?.for_students : row?.for_administrators;
    const provider = row && isFor ? openProvider(sealing, row) : null;
    if (!provider) throw unknown(id);
    return provider;
  }

  /** A session is opened for an administrator; the one that the browser had before ends. */
  async #openSession(
    provider: StoredProvider,
    claims: Claims,
    {
      session,
      ...where
    }: Pick<Start, 'shared' | 'asksConfirmations' | 'device'> & { readonly session: string },
  ): Promise<{ opened: OpenedSession; account: Account | null }> {
    const { db, clock, sessions, events } = this.#parts;
    const { device } = where;
    const opening = { passwordHash: null, openedWith: 'provider', replaces: session, ...where } as const;
    // In one transaction: who is unbound meanwhile gets no session, or it ends with the others.
    const matching = matchAdministrator(db, provider, claims, clock(), (tx, adminId) =>
      new AdminSessions(tx, clock).open({ ...opening, adminId }),
    );
    const { adminId, opened } = await matching.catch((error: unknown) => {
      events.recordUnknownLogin('administrator', device);
      throw error;
    });
    const found = await sessions.find(opened.token, device);
    if (found) events.recordAdminEvent(found.admin, 'signedIn', device);
    return { opened, account: await findAdminAccount(db, adminId) };
  }

  /** The page of a student is given a code that it exchanges for a token: tokens stand in no address. */
  async #handOver(provider: StoredProvider, claims: Claims, device: Device): Promise<string> {
    const { db, clock, events } = this.#parts;
    const at = clock();
    const expiresAt = new Date(at.getTime() + handOverMs);
    const issue = { kind: 'provider', at, expiresAt } as const;
    const matching = matchStudent(db, provider, claims, at, (own, studentId) =>
      issueSignInCode(own, studentId, issue),
    );
    return matching.catch((error: unknown) => {
      events.recordUnknownLogin('student', device);
      throw error;
    });
  }

  /** Only who is bound already confirms: otherwise whoever took a session could bring their own person. */
  async #confirm(provider: StoredProvider, claims: Claims, session: string, device: Device): Promise<void> {
    const { db, sessions, events } = this.#parts;
    const found = await sessions.find(session, device);
    if (!found) throw new SignInRefused('notConfirmed', 'ended meanwhile');
    const { admin } = found;
    const confirmed = await inTransaction(db, async (tx) => {
      const isTheirs = await isBoundAdministrator(tx, provider, claims, admin.id);
      return isTheirs && (await sessions.confirm(tx, session, 'provider'));
    });
    events.recordAdminEvent(admin, confirmed ? 'confirmed' : 'confirmationFailed', device);
    if (!confirmed)
      throw new SignInRefused('notConfirmed', 'someone else at the provider, or ended meanwhile');
  }
}

const unknown = (providerId: number) => new SignInRefused('unknown', `provider ${providerId}`);

function refused(error: unknown): never {
  throw error instanceof ProviderTrouble ? new SignInRefused(error.trouble, error.message) : error;
}
