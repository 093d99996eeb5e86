import type { ManagedWebhook } from '@classledger/contract';

/** What people are told of a webhook, the most pressing first. */
export function stateOf({ active, stoppedBecause, failingSince }: ManagedWebhook) {
  if (stoppedBecause !== null) return 'stopped';
  if (!active) return 'paused';
  return failingSince === null ? 'active' : 'failing';
}

/** Key of the sentence about it. */
export function aboutState(webhook: ManagedWebhook) {
  const abouts = {
    active: 'aboutActive',
    paused: 'aboutPaused',
    failing: 'aboutFailing',
    failed: 'aboutFailed',
    gone: 'aboutGone',
    secret: 'aboutSecret',
    restored: 'aboutRestored',
  } as const;
  const state = stateOf(webhook);
  return abouts[state === 'stopped' ? (webhook.stoppedBecause ?? 'failed') : state];
}
