import type { Passkey } from '@classledger/contract';
import { Box, Button, Group, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { deviceName } from '../../../session/device-name.ts';
import { arePasskeysSupported } from '../../../session/PasskeyPlaceholder.tsx';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { FormDialog } from '../../page/FormDialog.tsx';
import { RowActions } from '../../page/RowActions.tsx';
import { defineWrite, type Write } from '../../page/write.ts';
import { FactorSection, setUpButtonProps } from './FactorSection.tsx';
import { texts } from './texts.ts';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly isNeeded: boolean;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

export function Passkeys({ passkeys, isNeeded, onCodes }: PasskeysProps) {
  const t = useTexts(texts);
  return (
    <FactorSection
      title={t('passkeys')}
      about={t(arePasskeysSupported() ? 'passkeysNone' : 'passkeysCannot')}
      actions={arePasskeysSupported() && <AddPasskey isNeeded={isNeeded} onCodes={onCodes} />}
    >
      {passkeys.length > 0 && (
        <Box component="ul" m="10px 0 0" p={0} aria-label={t('passkeys')}>
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </Box>
      )}
    </FactorSection>
  );
}

function AddPasskey({ isNeeded, onCodes }: Omit<PasskeysProps, 'passkeys'>) {
  const t = useTexts(texts);
  const open = useOpenDialog();
  const make = useMutation({
    mutationFn: async () => {
      const { createPasskey, PasskeyFailure } = await import('../../../session/passkey-dialogs.ts');
      try {
        return await createPasskey(await call('startPasskey'));
      } catch (error) {
        if (!(error instanceof PasskeyFailure)) throw error;
        notifications.show({ color: 'gray', message: t(error.isKnown ? 'known' : 'notMade') });
        return null;
      }
    },
    onSuccess: (made) => {
      if (made === null) return;
      const save = (name: string) =>
        defineWrite('addPasskey', { body: { ...made, name } }, ({ recoveryCodes }) => {
          onCodes(recoveryCodes);
          return t('saved');
        });
      const name = deviceName(navigator.userAgent) ?? '';
      open((dialog) => <PasskeyForm {...dialog} title={t('addPasskey')} name={name} save={save} />);
    },
  });
  return (
    <Button {...setUpButtonProps(isNeeded)} onClick={() => make.mutate()} loading={make.isPending}>
      {t('addPasskey')}
    </Button>
  );
}

interface PasskeyFormProps extends DialogProps {
  readonly title: string;
  readonly name: string;
  readonly save: (name: string) => Write;
}

function PasskeyForm({ name, save, ...dialog }: PasskeyFormProps) {
  const t = useTexts(texts);
  return (
    <FormDialog
      {...dialog}
      submitLabel={t('save')}
      bodyOf="renamePasskey"
      values={{ name }}
      save={(values) => save(values.name)}
    >
      {({ field }) => (
        <TextInput
          {...field('name')}
          label={t('name')}
          description={t('passkeyNameHint')}
          onFocus={(event) => event.currentTarget.select()}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}

function PasskeyLine({ passkey }: { readonly passkey: Passkey }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id, name, host, createdAt, lastUsedAt } = passkey;
  const about = [
    t('addedOn', { when: format.day(createdAt) }),
    lastUsedAt === null ? t('neverUsed') : t('lastUsed', { when: format.ago(lastUsedAt) }),
    ...(host === location.hostname ? [] : [t('otherHost', { host })]),
  ].join(' · ');
  const rename = (typed: string) =>
    defineWrite('renamePasskey', { params: { id }, body: { name: typed } }, () => t('saved'));
  return (
    <Group component="li" gap={12} wrap="nowrap" py={6}>
      <IconFingerprint aria-hidden size={22} stroke={1.6} />
      <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{name}</Text>
        <Hint mt={2}>{about}</Hint>
      </Box>
      <RowActions
        name={name}
        actions={[
          {
            kind: 'rename',
            open: (dialog) => <PasskeyForm {...dialog} title={t('rename')} name={name} save={rename} />,
          },
          {
            remove: {
              title: t('removePasskeyTitle', { name }),
              text: t('removePasskeyText'),
              sentences: { 409: t('lastOne') },
              run: defineWrite('removePasskey', { params: { id } }, () => t('removed')),
            },
          },
        ]}
      />
    </Group>
  );
}
