import type { Passkey } from '@classledger/contract';
import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFingerprint, IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { deviceName } from '../../../session/device-name.ts';
import { arePasskeysSupported } from '../../../session/PasskeyPlaceholder.tsx';
import { DialogProvider } from '../../page/dialogs.tsx';
import { FormDialog } from '../../page/FormDialog.tsx';
import { RowActions } from '../../page/RowActions.tsx';
import { defineWrite, type Write } from '../../page/write.ts';
import { FactorSection, setUpButtonProps } from './FactorSection.tsx';
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
    <FactorSection
      title={t('passkeys')}
      about={t(arePasskeysSupported() ? 'passkeysNone' : 'passkeysCannot')}
      actions={arePasskeysSupported() && <AddPasskey isNeeded={isNeeded} onCodes={onCodes} />}
    >
      {passkeys.length > 0 && (
        <DialogProvider>
          <ul className={classes.passkeys} aria-label={t('passkeys')}>
            {passkeys.map((passkey) => (
              <PasskeyLine key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        </DialogProvider>
      )}
    </FactorSection>
  );
}

type AddPasskeyProps = Omit<PasskeysProps, 'passkeys'>;

function AddPasskey({ isNeeded, onCodes }: AddPasskeyProps) {
  const t = useTexts(texts);
  const [isNamed, setNamed] = useState(false);
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
      {made && (
        <PasskeyForm
          opened={isNamed}
          onClose={() => setNamed(false)}
          title={t('addPasskey')}
          name={deviceName(navigator.userAgent) ?? ''}
          save={(name) =>
            defineWrite('addPasskey', { body: { ...made, name } }, ({ recoveryCodes }) => {
              onCodes(recoveryCodes);
              return t('saved');
            })
          }
        />
      )}
    </>
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
          label={t('passkeyName')}
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
    <li className={classes.passkey}>
      <IconFingerprint aria-hidden size={22} stroke={1.6} />
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <p className={classes.about}>{about}</p>
      </div>
      <RowActions
        name={name}
        actions={[
          {
            label: t('rename'),
            icon: IconPencil,
            open: (dialog) => <PasskeyForm {...dialog} title={t('rename')} name={name} save={rename} />,
          },
          {
            label: t('delete'),
            remove: {
              title: t('removePasskeyTitle', { name }),
              text: t('removePasskeyText'),
              sentences: { 409: t('lastOne') },
              run: defineWrite('removePasskey', { params: { id } }, () => t('removed')),
            },
          },
        ]}
      />
    </li>
  );
}
