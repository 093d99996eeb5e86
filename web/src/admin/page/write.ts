import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { DataOf, InputArguments, InputOf, OperationId } from '../../api/operation-types.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import type { SubmitState } from '../../components/FormFooter.tsx';
import { useFailureNotice } from '../../components/use-failure-notice.ts';
import { type RenderDialog, useOpenDialog } from './dialogs.tsx';

/** What the user sees after a write: a notice, the next dialog, or nothing. */
type Shown = string | RenderDialog | null;

/** A write that a page declares, and that `useRunWrite` sends. */
export interface Write {
  readonly id: OperationId;
  /** Sends the write. @returns a function to run after success */
  readonly send: () => Promise<() => Shown>;
}

/**
 * Declares a write: `defineWrite('deleteTerm', { params: { id } }, ({ name }) => t('deleted', { name }))`.
 * @param done returns what the user sees after success
 */
export function defineWrite<I extends OperationId>(
  id: I,
  input: InputOf<I>,
  done: (data: DataOf<I>) => Shown,
): Write {
  return {
    id,
    send: async () => {
      const data = await call(id, ...([input] as InputArguments<I>));
      return () => done(data);
    },
  };
}

export interface WriteRunner extends SubmitState {
  readonly run: (write: Write) => void;
  readonly reset: () => void;
}

interface RunWriteOptions {
  /** Called after success, before the notice is shown. */
  readonly onDone?: (() => void) | undefined;
  readonly onFailure?: (error: unknown) => void;
}

/** Returns a function that sends a write and shows its result. Works only below `Page`. Pending until changed lists have been read again. */
export function useRunWrite({ onDone, onFailure }: RunWriteOptions = {}): WriteRunner {
  const client = useQueryClient();
  const open = useOpenDialog();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ send }: Write) => send(),
    onSuccess: (finish) => {
      onDone?.();
      const shown = finish();
      if (typeof shown === 'function') open(shown);
      // The id prevents a second notice with the same text, which would cover the next button on a phone.
      else if (shown !== null) notifications.show({ id: shown, message: shown });
    },
    onError: (failure) => onFailure?.(failure),
    onSettled: (_, failure, { id }) => (failure ? undefined : invalidateStaleReads(client, [id])),
  });
  return { run: mutate, isPending, error, reset };
}

/** Like `useRunWrite`, for writes without a dialog: shows a failure as a notice. */
export function useRunWriteWithNotice(): WriteRunner {
  return useRunWrite({ onFailure: useFailureNotice() });
}
