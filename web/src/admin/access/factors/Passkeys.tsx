import type { Passkey } from '@classledger/contract';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { MenuEntry, RowMenu } from '../../../components/list/RowMenu.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { deviceName } from '../../../session/device-name.ts';
import { arePasskeysSupported } from '../../../session/passkey-support.ts';
import { FactorPart, setUpButtonProps } from './FactorPart.tsx';
import classes from './SecondFactor.module.css';
import { texts } from './texts.ts';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly isNeeded: boolean;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

export function Passkeys({ passkeys, isNeeded, onCodes }: PasskeysProps) {
  const t = useTexts(texts);
  return (
    <FactorPart
      title={t('passkeys')}
      about={t(arePasskeysSupported() ? 'passkeysNone' : 'passkeysCannot')}
      actions={arePasskeysSupported() && <AddPasskey isNeeded={isNeeded} onCodes={onCodes} />}
    >
      {passkeys.length > 0 && (
        <ul className={classes.passkeys} aria-label={t('passkeys')}>
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
    </FactorPart>
  );
}

type AddPasskeyProps = Omit<PasskeysProps, 'passkeys'>;

function AddPasskey({ isNeeded, onCodes }: AddPasskeyProps) {
  const t = useTexts(texts);
  const [isNamed, setNamed] = useState(false);
  const add = useMutationOf('addPasskey', {
    onSuccess: ({ recoveryCodes }) => {
      setNamed(false);
      notifications.show({ message: t('saved') });
      onCodes(recoveryCodes);
    },
  });
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
    onSuccess: (made) => setNamed(made !== null),
  });
  const made = make.data;
  return (
    <>
      <Button {...setUpButtonProps(isNeeded)} onClick={() => make.mutate()} loading={make.isPending}>
        {t('addPasskey')}
      </Button>
      <NameDialog
        opened={isNamed}
        onClose={() => setNamed(false)}
        title={t('addPasskey')}
        label={t('passkeyName')}
        hint={t('passkeyNameHint')}
        name={deviceName(navigator.userAgent) ?? ''}
        submitLabel={t('save')}
        onSubmit={(name) => made && add.mutate({ body: { ...made, name } })}
        mutation={add}
      />
    </>
  );
}

function PasskeyLine({ passkey }: { readonly passkey: Passkey }) {
  const t = useTexts(texts);
  const format = useFormat();
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null);
  const close = () => setDialog(null);
  const { id, name, host, createdAt, lastUsedAt } = passkey;
  const rename = useMutationWithNotice('renamePasskey', () => t('saved'), close);
  const remove = useMutationWithNotice('removePasskey', () => t('removed'), close);
  const about = [
    t('addedOn', { when: format.day(createdAt) }),
    lastUsedAt === null ? t('neverUsed') : t('lastUsed', { when: format.ago(lastUsedAt) }),
    ...(host === location.hostname ? [] : [t('otherHost', { host })]),
  ].join(' · ');
  return (
    <li className={classes.passkey}>
      <IconFingerprint aria-hidden size={22} stroke={1.6} />
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <p className={classes.about}>{about}</p>
      </div>
      <RowMenu name={name} busy={rename.isPending || remove.isPending}>
        <MenuEntry icon={IconPencil} onChoose={() => setDialog('rename')}>
          {t('rename')}
        </MenuEntry>
        <MenuEntry icon={IconTrash} onChoose={() => setDialog('remove')}>
          {t('delete')}
        </MenuEntry>
      </RowMenu>
      <NameDialog
        opened={dialog === 'rename'}
        onClose={close}
        title={t('rename')}
        label={t('passkeyName')}
        hint={t('passkeyNameHint')}
        name={name}
        submitLabel={t('save')}
        onSubmit={(typed) => rename.mutate({ params: { id }, body: { name: typed } })}
        mutation={rename}
      />
      <ConfirmDialog
        opened={dialog === 'remove'}
        onClose={close}
        title={t('removePasskeyTitle', { name })}
        confirmLabel={t('delete')}
        danger
        onConfirm={() => remove.mutate({ params: { id } })}
        mutation={remove}
        sentences={{ 409: t('lastOne') }}
      >
        <Text size="sm">{t('removePasskeyText')}</Text>
      </ConfirmDialog>
    </li>
  );
}
