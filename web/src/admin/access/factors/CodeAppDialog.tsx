import { Button, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { lazy, useEffect, useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { LazyBoundary } from '../../../components/LazyBoundary.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './SecondFactor.module.css';
import { texts } from './texts.ts';

const QrCode = lazy(async () => ({ default: (await import('../../../components/QrCode.tsx')).QrCode }));
const qrSize = 208;

interface CodeAppDialogProps {
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[] | null) => void;
}

export function CodeAppDialog({ onClose, onDone }: CodeAppDialogProps) {
  const t = useTexts(texts);
  const { mutate, reset, data, error } = useMutationOf('startCodeApp');
  useEffect(() => {
    mutate({});
    return reset;
  }, [mutate, reset]);
  return (
    <Modal opened onClose={onClose} title={t('appTitle')} closeOnClickOutside={false}>
      {data ? (
        <Enrolment started={data} onClose={onClose} onDone={onDone} />
      ) : error ? (
        <ErrorState compact error={error} onRetry={() => mutate({})} />
      ) : (
        <Skeleton height={qrSize} />
      )}
    </Modal>
  );
}

interface EnrolmentProps extends CodeAppDialogProps {
  readonly started: DataOf<'startCodeApp'>;
}

function Enrolment({ started, onClose, onDone }: EnrolmentProps) {
  const t = useTexts(texts);
  const { secret, url, enrolment } = started;
  const [code, setCode] = useState('');
  // Also offers a link on a phone, because an authenticator app on this device cannot scan its own screen.
  const isTouched = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const confirm = useMutationOf('confirmCodeApp', {
    onSuccess: ({ recoveryCodes }) => {
      notifications.show({ message: t('turnedOn') });
      onDone(recoveryCodes);
    },
  });
  const { form, shown } = useForm({ code: code.trim() === '' && t('required') }, () =>
    confirm.mutate({ body: { enrolment, code: code.trim() } }),
  );
  return (
    <form {...form}>
      <Stack>
        <Text size="sm">{t('appStep1')}</Text>
        <div className={classes.qr}>
          <LazyBoundary fallback={<Skeleton height={qrSize} width={qrSize} />}>
            <QrCode text={url} label={t('qrLabel')} size={qrSize} />
          </LazyBoundary>
        </div>
        {isTouched && (
          <Button component="a" href={url} variant="default">
            {t('openApp')}
          </Button>
        )}
        <div>
          <Text size="sm" c="dimmed">
            {t('appManually')}
          </Text>
          <output className={classes.key}>{secret.match(/.{1,4}/g)?.join(' ')}</output>
        </div>
        <div>
          <CopyButton text={secret} label={t('copyKey')} />
        </div>
        <TextInput
          label={t('code')}
          description={t('appStep2')}
          value={code}
          onChange={(event) => {
            confirm.reset();
            setCode(event.currentTarget.value);
          }}
          error={shown.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          data-autofocus
        />
        <FormFooter
          attempt={confirm}
          sentences={{ 400: t('wrongCode') }}
          onCancel={onClose}
          submitLabel={t('confirmCode')}
        />
      </Stack>
    </form>
  );
}
