import { Button, Center, Skeleton, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { LazyBoundary } from '../../../components/ErrorBoundary.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { texts } from './texts.ts';

const QrCode = lazy(async () => ({ default: (await import('../../../components/QrCode.tsx')).QrCode }));
const qrSize = 208;

interface CodeAppFormProps extends DialogProps {
  readonly started: DataOf<'startCodeApp'>;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** Shows the secret for an authenticator app, and asks for its first code. */
export function CodeAppForm({ started, onCodes, ...dialog }: CodeAppFormProps) {
  const t = useTexts(texts);
  const { secret, url, enrolment } = started;
  // Also offers a link on a phone, because an authenticator app on this device cannot scan its own screen.
  const isTouched = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  return (
    <FormDialog
      {...dialog}
      title={t('appTitle')}
      submitLabel={t('confirmCode')}
      bodyOf="confirmCodeApp"
      values={{ code: '' }}
      save={({ code }) =>
        defineWrite('confirmCodeApp', { body: { enrolment, code: code.trim() } }, ({ recoveryCodes }) => {
          onCodes(recoveryCodes);
          return t('turnedOn');
        })
      }
      sentences={{ 400: t('wrongCode') }}
    >
      {({ field }) => (
        <>
          <Text size="sm">{t('appStep1')}</Text>
          <Center>
            <LazyBoundary fallback={<Skeleton height={qrSize} width={qrSize} />}>
              <QrCode text={url} label={t('qrLabel')} size={qrSize} />
            </LazyBoundary>
          </Center>
          {isTouched && (
            <Button component="a" href={url} variant="default">
              {t('openApp')}
            </Button>
          )}
          <div>
            <Hint>{t('appManually')}</Hint>
            <Text component="output" ff="monospace" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {secret.match(/.{1,4}/g)?.join(' ')}
            </Text>
          </div>
          <div>
            <CopyButton text={secret} label={t('copyKey')} />
          </div>
          <TextInput
            {...field('code')}
            label={t('code')}
            description={t('appStep2')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
          />
        </>
      )}
    </FormDialog>
  );
}
