import type { Visit } from './journeys.ts';

/** Adds a virtual authenticator to the browser, like a fingerprint reader. */
export async function plugIn({ context, page }: Pick<Visit, 'context' | 'page'>): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
