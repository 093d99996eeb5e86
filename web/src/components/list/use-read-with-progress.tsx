import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import { useId, useState } from 'react';
import type { ReadingOptions } from '../../api/read-all.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useFailureText } from '../failure-text.ts';

export function useReadWithProgress(words: {
  readonly progress: (done: number, total: number) => string;
  readonly failed: string;
}) {
  const c = useTexts(commonTexts);
  const failureText = useFailureText();
  const id = useId();
  const [busy, setBusy] = useState(false);
  /** @param read does the work; its result is shown as a notification, unless it is null */
  const start = async (read: (options: Required<ReadingOptions>) => Promise<NotificationData | null>) => {
    const stop = new AbortController();
    const reading = (text: string) => ({
      id,
      message: (
        <Group justify="space-between" gap="xs">
          {text}
          <Button variant="default" onClick={() => stop.abort()}>
            {c('cancel')}
          </Button>
        </Group>
      ),
      loading: true,
      withCloseButton: false,
      autoClose: false as const,
    });
    setBusy(true);
    notifications.show(reading(c('loading')));
    try {
      const said = await read({
        onProgress: (done, total) => {
          if (!stop.signal.aborted) notifications.update(reading(words.progress(done, total)));
        },
        signal: stop.signal,
      });
      if (said === null) notifications.hide(id);
      else notifications.update({ id, loading: false, withCloseButton: true, ...said });
    } catch (error) {
      if (stop.signal.aborted) {
        notifications.hide(id);
        return;
      }
      notifications.update({
        id,
        title: words.failed,
        message: failureText(error),
        loading: false,
        withCloseButton: true,
        color: 'red',
        autoClose: false,
      });
    } finally {
      setBusy(false);
    }
  };
  return { busy, start };
}
