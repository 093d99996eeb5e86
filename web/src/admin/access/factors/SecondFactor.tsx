import { Button, Divider, Group, Loader, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { type DialogProps, onlyOwnButtons } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { SignInLayout } from '../../../session/SignInLayout.tsx';
import { AskButton } from '../../page/ConfirmWriteDialog.tsx';
import { DialogProvider, useOpenDialog } from '../../page/dialogs.tsx';
import { defineWrite, useRunWriteWithNotice } from '../../page/write.ts';
import { useSignOut } from '../../use-sign-out.tsx';
import { CodeAppForm } from './CodeAppForm.tsx';
import { FactorSection, setUpButtonProps } from './FactorSection.tsx';
import { Passkeys } from './Passkeys.tsx';
import { texts } from './texts.ts';

export function SecondFactor({ onDone }: { readonly onDone?: () => void }) {
  const factors = useOperation('getSecondFactor');
  if (!factors.data) return <LoadingOrError of={[factors]} rows={3} height={56} />;
  return (
    <DialogProvider>
      <Factors factors={factors.data} onDone={onDone} />
    </DialogProvider>
  );
}

interface FactorsProps {
  readonly factors: DataOf<'getSecondFactor'>;
  readonly onDone: (() => void) | undefined;
}

function Factors({ factors, onDone }: FactorsProps) {
  const open = useOpenDialog();
  const { codeAppSince, passkeys, recoveryCodesLeft } = factors;
  const showCodes = (codes: readonly string[] | null) => {
    if (codes === null) onDone?.();
    else
      open(({ opened, onClose }) => (
        <RecoveryCodesDialog
          codes={codes}
          opened={opened}
          onClose={() => {
            onClose();
            onDone?.();
          }}
        />
      ));
  };
  const props = { isNeeded: onDone !== undefined, onCodes: showCodes };
  return (
    <Stack gap={14} mt={22}>
      <CodeApp since={codeAppSince} {...props} />
      <Divider color="var(--app-line)" />
      <Passkeys passkeys={passkeys} {...props} />
      {(codeAppSince !== null || passkeys.length > 0) && (
        <>
          <Divider color="var(--app-line)" />
          <RecoveryCodes left={recoveryCodesLeft} onCodes={showCodes} />
        </>
      )}
    </Stack>
  );
}

interface CodeAppProps {
  readonly since: string | null;
  readonly isNeeded: boolean;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

function CodeApp({ since, isNeeded, onCodes }: CodeAppProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { run, isPending } = useRunWriteWithNotice();
  const label = t(since === null ? 'setUp' : 'replace');
  const start = defineWrite('startCodeApp', {}, (started) => (dialog) => (
    <CodeAppForm {...dialog} started={started} onCodes={onCodes} />
  ));
  return (
    <FactorSection
      title={t('app')}
      about={since === null ? t('appNone') : t('appSince', { when: format.day(since) })}
      actions={
        <>
          <Button
            {...setUpButtonProps(isNeeded)}
            onClick={() => isPending || run(start)}
            // A disabled button would lose the focus, which returns to it after the dialog.
            aria-busy={isPending}
            leftSection={isPending && <Loader size={14} />}
            aria-label={`${label}: ${t('app')}`}
          >
            {label}
          </Button>
          {since !== null && (
            <AskButton
              variant="default"
              size="xs"
              aria-label={`${t('remove')}: ${t('app')}`}
              ask={{
                title: t('removeAppTitle'),
                text: t('removeAppText'),
                danger: true,
                run: defineWrite('removeCodeApp', {}, () => t('removed')),
                sentences: { 409: t('lastOne') },
              }}
            >
              {t('remove')}
            </AskButton>
          )}
        </>
      }
    />
  );
}

interface RecoveryCodesProps {
  readonly left: number;
  readonly onCodes: (codes: readonly string[]) => void;
}

function RecoveryCodes({ left, onCodes }: RecoveryCodesProps) {
  const t = useTexts(texts);
  const create = defineWrite('createRecoveryCodes', {}, ({ recoveryCodes }) => {
    onCodes(recoveryCodes);
    return null;
  });
  return (
    <FactorSection
      title={t('recoveryCodes')}
      about={t('codesLeft', { count: left })}
      actions={
        <AskButton
          variant="default"
          size="xs"
          ask={{ title: t('newCodesTitle'), text: t('newCodesText'), run: create }}
        >
          {t('newCodes')}
        </AskButton>
      }
    />
  );
}

/** Shows new recovery codes. A stray key must not close them, because they are shown only once. */
function RecoveryCodesDialog({
  codes,
  opened,
  onClose,
}: DialogProps & { readonly codes: readonly string[] }) {
  const t = useTexts(texts);
  const text = codes.join('\n');
  const { host } = location;
  const save = () =>
    saveFile(t('fileName', { host }), new Blob([`${host}\n\n${text}\n`], { type: 'text/plain' }));
  return (
    <Modal opened={opened} onClose={onClose} title={t('codesTitle')} {...onlyOwnButtons}>
      <Stack>
        <Text size="sm">{t('codesText')}</Text>
        <SimpleGrid
          component="ul"
          minColWidth="190px"
          spacing="md"
          verticalSpacing={8}
          m={0}
          px="md"
          py={14}
          bdrs="md"
          bg="var(--app-background)"
          ff="monospace"
          style={{ listStyle: 'none' }}
          aria-label={t('codesTitle')}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </SimpleGrid>
        <Group justify="space-between">
          <Group gap="xs">
            <CopyButton text={text} />
            <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} onClick={save}>
              {t('asFile')}
            </Button>
          </Group>
          <Button onClick={onClose}>{t('savedThem')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

export default function RequiredFactorSetup({ onDone }: { readonly onDone: () => void }) {
  const t = useTexts(texts);
  const { signOutAtOnce, pending } = useSignOut();
  const leave = (
    <Button variant="subtle" color="gray" mt="xs" onClick={signOutAtOnce} loading={pending}>
      {t('signOut')}
    </Button>
  );
  return (
    <SignInLayout title={t('firstTitle')} text={t('firstText')} backLink={leave}>
      <SecondFactor onDone={onDone} />
    </SignInLayout>
  );
}
