import type { ManagedWebhook } from '@classledger/contract';

/** Returns the state of a webhook that people should see, the most urgent first. */
export function webhookStateOf({ active, stoppedBecause, failingSince }: ManagedWebhook) {
  if (stoppedBecause !== null) return 'stopped';
  if (!active) return 'paused';
  return failingSince === null ? 'active' : 'failing';
}

export function stateExplanation(webhook: ManagedWebhook) {
  const abouts = {
    active: 'aboutActive',
    paused: 'aboutPaused',
    failing: 'aboutFailing',
    failed: 'aboutFailed',
    gone: 'aboutGone',
    secret: 'aboutSecret',
    restored: 'aboutRestored',
  } as const;
  const state = webhookStateOf(webhook);
  return abouts[state === 'stopped' ? (webhook.stoppedBecause ?? 'failed') : state];
}
