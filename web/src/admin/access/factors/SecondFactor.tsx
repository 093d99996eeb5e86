import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LazyBoundary } from '../../../components/LazyBoundary.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { FactorSection, setUpButtonProps } from './FactorSection.tsx';
import { Passkeys } from './Passkeys.tsx';
import { NewRecoveryCodes, RecoveryCodesDialog } from './RecoveryCodes.tsx';
import classes from './SecondFactor.module.css';
import { texts } from './texts.ts';

const CodeAppDialog = lazy(async () => ({ default: (await import('./CodeAppDialog.tsx')).CodeAppDialog }));

interface SecondFactorProps {
  readonly onDone?: () => void;
}

export function SecondFactor({ onDone }: SecondFactorProps) {
  const factors = useOperation('getSecondFactor');
  // Kept here, so that the codes stay visible while the factors are fetched again.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (factors.isPending) return <LoadingRows rows={3} height={56} />;
  if (!factors.data) {
    return <ErrorState compact error={factors.error} onRetry={() => void factors.refetch()} />;
  }
  return (
    <>
      <Factors
        factors={factors.data}
        isNeeded={onDone !== undefined}
        onCodes={(shown) => (shown === null ? onDone?.() : setCodes(shown))}
      />
      <RecoveryCodesDialog
        codes={codes}
        onClose={() => {
          setCodes(null);
          onDone?.();
        }}
      />
    </>
  );
}

interface FactorsProps {
  readonly factors: DataOf<'getSecondFactor'>;
  readonly isNeeded: boolean;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

function Factors({ factors, isNeeded, onCodes }: FactorsProps) {
  const t = useTexts(texts);
  const { codeAppSince, passkeys, recoveryCodesLeft } = factors;
  const hasFactor = codeAppSince !== null || passkeys.length > 0;
  return (
    <div className={classes.list}>
      <CodeApp since={codeAppSince} isNeeded={isNeeded} onCodes={onCodes} />
      <Passkeys passkeys={passkeys} isNeeded={isNeeded} onCodes={onCodes} />
      {hasFactor && (
        <FactorSection
          title={t('recoveryCodes')}
          about={t('codesLeft', { count: recoveryCodesLeft })}
          actions={<NewRecoveryCodes onCodes={onCodes} />}
        />
      )}
    </div>
  );
}

interface CodeAppProps extends Omit<FactorsProps, 'factors'> {
  readonly since: string | null;
}

function CodeApp({ since, isNeeded, onCodes }: CodeAppProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [dialog, setDialog] = useState<'set up' | 'remove' | null>(null);
  const close = () => setDialog(null);
  const remove = useMutationWithNotice('removeCodeApp', () => t('removed'), close);
  const label = t(since === null ? 'setUp' : 'replace');
  return (
    <FactorSection
      title={t('app')}
      about={since === null ? t('appNone') : t('appSince', { when: format.day(since) })}
      actions={
        <>
          <Button
            {...setUpButtonProps(isNeeded)}
            onClick={() => setDialog('set up')}
            aria-label={`${label}: ${t('app')}`}
          >
            {label}
          </Button>
          {since !== null && (
            <Button
              variant="default"
              size="xs"
              onClick={() => setDialog('remove')}
              aria-label={`${t('remove')}: ${t('app')}`}
            >
              {t('remove')}
            </Button>
          )}
        </>
      }
    >
      {dialog === 'set up' && (
        <LazyBoundary>
          <CodeAppDialog
            onClose={close}
            onDone={(codes) => {
              close();
              onCodes(codes);
            }}
          />
        </LazyBoundary>
      )}
      <ConfirmDialog
        opened={dialog === 'remove'}
        onClose={close}
        title={t('removeAppTitle')}
        confirmLabel={t('remove')}
        danger
        onConfirm={() => remove.mutate({})}
        mutation={remove}
        sentences={{ 409: t('lastOne') }}
      >
        {t('removeAppText')}
      </ConfirmDialog>
    </FactorSection>
  );
}
