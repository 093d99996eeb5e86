import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AccountEvents } from '../../access/account-events.ts';
import type { Account } from '../../access/known-devices.ts';
import { findAdminAccount } from '../../access/passwords.ts';
import {
  type ProviderReturn,
  type ProviderSignIns,
  type SignInOutcome,
  SignInRefusedError,
  type SignInStart,
} from '../../access/provider-sign-in.ts';
import type { Sealing } from '../../access/sealing.ts';
import { AdminSessions, type Device, type OpenedSession } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { inTransaction, violatesForeignKey } from '../../database/transaction.ts';
import type { Clock } from '../../time/clock.ts';
import { issueSignInCode } from '../students/sign-in-code.ts';
import { isBoundAdministrator, matchAdministrator, matchStudent } from './match-account.ts';
import { type Claims, type Flow, type OpenIdConnect, ProviderError } from './oidc.ts';
import { decryptProvider, type StoredProvider, selectUsableProvider } from './stored-providers.ts';

export const flowLifetimeMs = 600_000;
const handOverCodeMs = 60_000;

export interface SignInFlowServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sessions: AdminSessions;
  readonly events: AccountEvents;
  readonly openIdConnect: OpenIdConnect;
}

const browserPattern = /^[\w-]{43}$/;
const statePattern = /^([1-9][0-9]{0,14})\.[\w-]{43}$/;

const secret = () => randomBytes(32).toString('base64url');
const hashOf = (text: string) => hash('sha256', text, 'buffer');

/** Derives nonce and verifier, so that the table needs only hashes and its readers cannot finish a sign-in. */
const deriveFlow = (
  browser: string,
  state: string,
  redirectUri: string,
  authenticatedSince: Date | null,
): Flow => {
  const derived = (what: string) =>
    createHmac('sha256', browser).update(`${what} ${state}`).digest('base64url');
  return { redirectUri, state, nonce: derived('nonce'), verifier: derived('verifier'), authenticatedSince };
};

/** Sends browsers to providers of schools and signs in the people who return (docs/contract.md, Single sign-on). */
export class SignInFlows implements ProviderSignIns {
  readonly #services: SignInFlowServices;

  constructor(parts: SignInFlowServices) {
    this.#services = parts;
  }

  async start(start: SignInStart): Promise<{ readonly address: string; readonly browser: string }> {
    const { db, clock, sessions, openIdConnect } = this.#services;
    const { schoolId, purpose, redirectUri } = start;
    const provider = await this.#requireProvider(schoolId, start.providerId, purpose);
    const isConfirmation = purpose === 'confirmation';
    if (isConfirmation) {
      const found = await sessions.find(start.session, start.device);
      if (found?.admin.schoolId !== schoolId)
        throw new SignInRefusedError('notConfirmed', 'no session of the school');
    }
    const browser = browserPattern.test(start.browser) ? start.browser : secret();
    const state = `${schoolId}.${secret()}`;
    const at = clock();
    const flow = deriveFlow(browser, state, redirectUri, isConfirmation ? at : null);
    // Stores the flow only if the provider answers.
    const address = await openIdConnect.start(provider, flow).catch(throwSignInRefused);
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
        throw violatesForeignKey(error) ? unknownProvider(provider.id) : error;
      });
    return { address, browser };
  }

  async finish(call: ProviderReturn): Promise<SignInOutcome> {
    const { db, clock } = this.#services;
    const { query, browser } = call;
    const [state = '', ...more] = query.getAll('state');
    const schoolId = Number(statePattern.exec(state)?.[1] ?? 0);
    if (schoolId === 0 || more.length > 0 || !browserPattern.test(browser)) {
      throw new SignInRefusedError('ended', 'no state, or no cookie');
    }
    const begun = await db
      .deleteFrom('sign_in_flow')
      .where('school_id', '=', schoolId)
      .where('state_hash', '=', hashOf(state))
      // Requires the same browser, so that another browser cannot even cancel the flow.
      .where('browser_hash', '=', hashOf(browser))
      .returningAll()
      .executeTakeFirst();
    const now = clock();
    if (!begun || now.getTime() - Date.parse(begun.created_at) > flowLifetimeMs) {
      throw new SignInRefusedError('ended', begun ? 'too late' : 'no such state in this browser');
    }
    const returnPage = begun.popup ? null : begun.purpose === 'student' ? '/student' : '/admin';
    try {
      return await this.#finishFlow(begun, call);
    } catch (error) {
      if (!(error instanceof SignInRefusedError)) throw error;
      throw new SignInRefusedError(error.reason, error.message, returnPage);
    }
  }

  async #finishFlow(
    begun: Selectable<Tables['sign_in_flow']>,
    { query, browser, session, redirectUri, device }: ProviderReturn,
  ): Promise<SignInOutcome> {
    const { purpose, popup, shared, asks_confirmations: asksConfirmations, return_path: returnPath } = begun;
    const [state = ''] = query.getAll('state');
    const provider = await this.#requireProvider(begun.school_id, begun.provider_id, purpose);
    const provenSince = purpose === 'confirmation' ? new Date(begun.created_at) : null;
    const flow = deriveFlow(browser, state, redirectUri, provenSince);
    const claims = await this.#services.openIdConnect
      .finish(provider, flow, query, provider.claim)
      .catch(throwSignInRefused);
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
        return { ...back, as: 'student', code: await this.#issueHandOverCode(provider, claims, device) };
      case 'confirmation':
        if (!begun.session_hash?.equals(hashOf(session))) {
          throw new SignInRefusedError('notConfirmed', 'another session');
        }
        await this.#confirm(provider, claims, session, device);
        return { ...back, as: 'confirmed' };
    }
  }

  /** @throws SignInRefusedError unknown */
  async #requireProvider(
    schoolId: number,
    id: number,
    purpose: SignInStart['purpose'],
  ): Promise<StoredProvider> {
    const { db, sealing } = this.#services;
    const row = await selectUsableProvider(db, schoolId, id);
    const isFor = purpose === 'student' ? row?.forStudents : row?.forAdministrators;
    const provider = row && isFor ? decryptProvider(sealing, row) : null;
    if (!provider) throw unknownProvider(id);
    return provider;
  }

  /** Opens a session for an administrator and ends the previous session of the browser. */
  async #openSession(
    provider: StoredProvider,
    claims: Claims,
    {
      session,
      ...where
    }: Pick<SignInStart, 'shared' | 'asksConfirmations' | 'device'> & { readonly session: string },
  ): Promise<{ opened: OpenedSession; account: Account | null }> {
    const { db, clock, sessions, events } = this.#services;
    const { device } = where;
    const opening = { passwordHash: null, openedWith: 'provider', replaces: session, ...where } as const;
    // Opens the session in the transaction that finds the account, because an account can be unbound meanwhile.
    const matching = matchAdministrator(db, { provider, claims, at: clock() }, (tx, adminId) =>
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

  /** Issues a code that the student's page exchanges for a token, so that no URL contains a token. */
  async #issueHandOverCode(provider: StoredProvider, claims: Claims, device: Device): Promise<string> {
    const { db, clock, events } = this.#services;
    const at = clock();
    const expiresAt = new Date(at.getTime() + handOverCodeMs);
    const issue = { kind: 'provider', at, expiresAt } as const;
    const matching = matchStudent(db, { provider, claims, at }, (own, studentId) =>
      issueSignInCode(own, studentId, issue),
    );
    return matching.catch((error: unknown) => {
      events.recordUnknownLogin('student', device);
      throw error;
    });
  }

  /** Confirms only with an account that is bound already, or a thief of the session could bind their own. */
  async #confirm(provider: StoredProvider, claims: Claims, session: string, device: Device): Promise<void> {
    const { db, sessions, events } = this.#services;
    const found = await sessions.find(session, device);
    if (!found) throw new SignInRefusedError('notConfirmed', 'the session ended meanwhile');
    const { admin } = found;
    const confirmed = await inTransaction(db, async (tx) => {
      const isTheirs = await isBoundAdministrator(tx, provider, claims, admin.id);
      return isTheirs && (await sessions.confirm(tx, session, 'provider'));
    });
    events.recordAdminEvent(admin, confirmed ? 'confirmed' : 'confirmationFailed', device);
    if (!confirmed)
      throw new SignInRefusedError(
        'notConfirmed',
        'another person signed in at the provider, or the session ended meanwhile',
      );
  }
}

const unknownProvider = (providerId: number) => new SignInRefusedError('unknown', `provider ${providerId}`);

function throwSignInRefused(error: unknown): never {
  throw error instanceof ProviderError ? new SignInRefusedError(error.failure, error.message) : error;
}
