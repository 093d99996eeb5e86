import type { Role } from '@classledger/contract';
import { Switch, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { texts as shellTexts } from '../../shell/texts.ts';
import classes from './SecurityPage.module.css';
import { texts } from './texts.ts';

export function SecurityPage() {
  const t = useTexts(texts);
  return (
    <>
      <PageHeader title={t('title')} />
      <section className={classes.card} aria-labelledby="factor-roles">
        <Title order={2} size="h3" id="factor-roles">
          {t('rolesTitle')}
        </Title>
        <Text size="sm" c="dimmed" mt={2}>
          {t('rolesText')}
        </Text>
        <FactorRoles />
      </section>
      <section className={classes.card} aria-labelledby="sign-in-services">
        <Title order={2} size="h3" id="sign-in-services">
          {t('providersTitle')}
        </Title>
        <Text size="sm" c="dimmed" mt={2}>
          {t('providersText')}
        </Text>
        <Link to="/sign-in-providers" className={classes.link ?? ''}>
          {t('toProviders')}
        </Link>
      </section>
    </>
  );
}

type FactorRoleData = DataOf<'getSecondFactorRoles'>['roles'][number];

function FactorRoles() {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  const found = useOperation('getSecondFactorRoles');
  const own = useOperation('getSecondFactor');
  // The role to require a second factor. Asks first, because people without one are stopped at their next click.
  const [asked, setAsked] = useState<FactorRoleData | null>(null);
  const [isAsking, setAsking] = useState(false);
  const update = useMutationOf('updateSecondFactorRoles', { onSuccess: () => setAsking(false) });
  if (found.isPending || own.isPending) return <LoadingRows rows={4} height={48} />;
  if (!found.data) return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} />;
  if (!own.data) return <ErrorState compact error={own.error} onRetry={() => void own.refetch()} />;
  const { roles } = found.data;
  const hasFactor = own.data.codeAppSince !== null || own.data.passkeys.length > 0;
  const chosen = update.isPending ? update.variables.body.roles : null;
  const required = (role: Role) =>
    chosen?.includes(role) ?? roles.some((each) => each.role === role && each.isRequired);
  const toggle = (role: Role) =>
    update.mutate({
      body: { roles: roles.map((each) => each.role).filter((each) => required(each) !== (each === role)) },
    });
  const choose = (each: FactorRoleData) => {
    if (update.isPending) return;
    if (each.withoutFactor === 0 || required(each.role)) {
      toggle(each.role);
      return;
    }
    update.reset();
    setAsked(each);
    setAsking(true);
  };
  return (
    <>
      <ul className={classes.list}>
        {roles.map((each) => (
          <FactorRole
            key={each.role}
            role={each}
            isRequired={required(each.role)}
            isLocked={each.role === me.role && !hasFactor && !required(each.role)}
            onToggle={() => choose(each)}
          />
        ))}
      </ul>
      {!isAsking && <FailureAlert error={update.error} />}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('requireTitle')}
        confirmLabel={t('require')}
        onConfirm={() => asked && toggle(asked.role)}
        mutation={update}
      >
        {asked && (
          <Text size="sm">{t('requireText', { role: s(asked.role), count: asked.withoutFactor })}</Text>
        )}
      </ConfirmDialog>
    </>
  );
}

interface FactorRoleProps {
  readonly role: FactorRoleData;
  readonly isRequired: boolean;
  /** True when the choice would lock out the user who makes it. */
  readonly isLocked: boolean;
  readonly onToggle: () => void;
}

function FactorRole(props: FactorRoleProps) {
  const { role, administrators: all, withoutFactor } = props.role;
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const about =
    all === 0
      ? t('nobody')
      : withoutFactor === 0
        ? t('everybody', { all })
        : t('without', { count: withoutFactor, all });
  return (
    <li className={classes.role}>
      <Switch
        label={s(role)}
        description={about}
        checked={props.isRequired}
        onChange={props.onToggle}
        disabled={props.isLocked}
        size="md"
      />
      {props.isLocked && (
        <p className={classes.locked}>
          {t('yoursFirst')}{' '}
          <Link to="/account" className={classes.inline ?? ''}>
            {t('toAccount')}
          </Link>
        </p>
      )}
    </li>
  );
}
