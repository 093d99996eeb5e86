import * as codeApp from '../features/second-factor/code-app.ts';
import type { FactorServices } from '../features/second-factor/factor-services.ts';
import { createRecoveryCodes, readFactors } from '../features/second-factor/factors.ts';
import * as passkeyProof from '../features/second-factor/passkey-proof.ts';
import * as passkeys from '../features/second-factor/passkeys.ts';
import { readFactorRoles, setRequiredRoles } from '../features/second-factor/required-roles.ts';
import type { InternalRoutes } from '../http/internal-api.ts';

export function secondFactorRoutes(parts: FactorServices) {
  const { db, sealing } = parts;
  return {
    anonymous: {
      startPasskeyLogin: async (call) => passkeyProof.startPasskeyLogin(sealing, call),
      loginWithPasskey: ({ body: { sharedComputer, confirmations, ...assertion }, ...call }) => {
        const opening = { shared: sharedComputer ?? false, asksConfirmations: confirmations ?? false };
        const where = { ...call, ...opening, replaces: call.session };
        return passkeyProof.logInWithPasskey(parts, where, assertion);
      },
    },
    withoutSchool: {
      getSecondFactor: ({ admin }) => readFactors(db, admin),
      startCodeApp: async ({ admin, at }) => codeApp.startCodeApp(sealing, admin, at),
      confirmCodeApp: ({ body, ...call }) => codeApp.confirmCodeApp(parts, call, body),
      removeCodeApp: ({ admin }) => codeApp.removeCodeApp(db, admin),
      createRecoveryCodes: ({ admin }) => createRecoveryCodes(db, admin.id),
      startPasskey: (call) => passkeys.startPasskey(parts, call),
      addPasskey: ({ body, ...call }) => passkeys.addPasskey(parts, call, body),
      renamePasskey: ({ admin, params, body }) => passkeys.renamePasskey(db, admin, params.id, body.name),
      removePasskey: ({ admin, params }) => passkeys.removePasskey(db, admin, params.id),
      startPasskeyConfirmation: (call) => passkeyProof.startPasskeyConfirmation(parts, call),
      confirmWithPasskey: ({ body, ...call }) => passkeyProof.confirmWithPasskey(parts, call, body),
      getSecondFactorRoles: () => readFactorRoles(db),
      updateSecondFactorRoles: ({ body }) => setRequiredRoles(db, body.roles),
    },
  } satisfies { readonly [Kind in keyof InternalRoutes]?: Partial<InternalRoutes[Kind]> };
}
