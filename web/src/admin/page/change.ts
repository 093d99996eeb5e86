import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { DataOf, InputArguments, InputOf, OperationId } from '../../api/operation-types.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import type { SubmitState } from '../../components/FormFooter.tsx';
import type { FailureSentences } from '../../components/failure-text.ts';
import { useFailureNotice } from '../../components/use-failure-notice.ts';

/** A write that a page declares, and that `useRun` sends. */
export interface Change {
  readonly id: OperationId;
  readonly sentences?: FailureSentences | undefined;
  /** Sends the write. @returns a function to run after success, which returns the notice */
  readonly send: () => Promise<() => string | null>;
}

/**
 * Declares a write: `change('deleteTerm', { params: { id } }, ({ name }) => t('deleted', { name }))`.
 * @param done returns the notice after success, or null for none; may open the next dialog
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
  /** Called after success, before the notice is shown. */
  readonly onDone?: (() => void) | undefined;
  readonly onFailure?: (error: unknown, change: Change) => void;
}

/** Returns a function that sends a write and shows its notice. Pending until changed lists have been read again. */
export function useRun({ onDone, onFailure }: RunOptions = {}): Run {
  const client = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ send }: Change) => send(),
    onSuccess: (finish) => {
      onDone?.();
      const message = finish();
      // The id prevents a second notice with the same text, which would cover the next button on a phone.
      if (message !== null) notifications.show({ id: message, message });
    },
    onError: (failure, changed) => onFailure?.(failure, changed),
    onSettled: (_, failure, { id }) => (failure ? undefined : invalidateStaleReads(client, [id])),
  });
  return { run: mutate, isPending, error, reset };
}

/** Like `useRun`, for writes without a dialog: shows a failure as a notice. */
export function useRunWithNotice(): Run {
  const showFailure = useFailureNotice();
  return useRun({ onFailure: (error, { sentences }) => showFailure(error, sentences) });
}
