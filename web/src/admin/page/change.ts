import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { DataOf, InputArguments, InputOf, OperationId } from '../../api/operation-types.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import type { SubmitState } from '../../components/FormEnd.tsx';
import type { FailureSentences } from '../../components/failure-text.ts';
import { useFailureNotice } from '../../components/use-failure-notice.ts';

/** A declared write, which `useRun` sends. */
export interface Change {
  readonly id: OperationId;
  readonly sentences?: FailureSentences | undefined;
  /** Sends the write. @returns what runs after success; its result is the notice */
  readonly send: () => Promise<() => string | null>;
}

/**
 * Declares a write: `change('deleteTerm', { params: { id } }, ({ name }) => t('deleted', { name }))`.
 * @param done returns the notice after success, null for none; it may open the next dialog
 */
export function change<I extends OperationId>(
  id: I,
  input: InputOf<I>,
  done: (data: DataOf<I>) => string | null,
): Change {
  return {
    id,
    send: async () => {
      const data = await call(id, ...([input] as InputArguments<I>));
      return () => done(data);
    },
  };
}

export interface Run extends SubmitState {
  readonly run: (change: Change) => void;
  readonly reset: () => void;
}

interface RunOptions {
  /** Runs after success, before the notice. */
  readonly onDone?: (() => void) | undefined;
  readonly onFailure?: (error: unknown, change: Change) => void;
}

/** Returns a function that sends a declared write and shows its notice. Pending until the changed lists are read again. */
export function useRun({ onDone, onFailure }: RunOptions = {}): Run {
  const client = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ send }: Change) => send(),
    onSuccess: (finish) => {
      onDone?.();
      const message = finish();
      // The id prevents a second identical notice, which on a phone would cover the next button.
      if (message !== null) notifications.show({ id: message, message });
    },
    onError: (failure, changed) => onFailure?.(failure, changed),
    onSettled: (_, failure, { id }) => (failure ? undefined : invalidateStaleReads(client, [id])),
  });
  return { run: mutate, isPending, error, reset };
}

/** Like `useRun`, for writes without a dialog: a failure is shown as a notice. */
export function useRunWithNotice(): Run {
  const showFailure = useFailureNotice();
  return useRun({ onFailure: (error, { sentences }) => showFailure(error, sentences) });
}
