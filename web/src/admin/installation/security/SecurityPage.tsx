import type { Role } from '@classledger/contract';
import { Switch, Text, Title } from '@mantine/core';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts as shellTexts } from '../../shell/texts.ts';
import classes from './SecurityPage.module.css';
import { texts } from './texts.ts';

/** How safe signing in has to be, for the whole installation. */
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
    </>
  );
}

function FactorRoles() {
  const found = useOperation('getSecondFactorRoles');
  const update = useMutationOf('updateSecondFactorRoles');
  if (found.isPending) return <LoadingRows rows={4} height={48} />;
  if (!found.data) return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} />;
  const { roles } = found.data;
  // What was chosen stands there at once.
  const chosen = update.isPending ? update.variables.body.roles : null;
  const required = (role: Role) =>
    chosen?.includes(role) ?? roles.some((each) => each.role === role && each.isRequired);
  const toggle = (role: Role) =>
    update.mutate({
      body: { roles: roles.map((each) => each.role).filter((each) => required(each) !== (each === role)) },
    });
  return (
    <>
      <ul className={classes.list}>
        {roles.map((each) => (
          <FactorRole
            key={each.role}
            role={each}
            isRequired={required(each.role)}
            onToggle={() => !update.isPending && toggle(each.role)}
          />
        ))}
      </ul>
      <FailureAlert error={update.error} />
    </>
  );
}

interface FactorRoleProps {
  readonly role: DataOf<'getSecondFactorRoles'>['roles'][number];
  readonly isRequired: boolean;
  readonly onToggle: () => void;
}

function FactorRole({
  role: { role, administrators: all, withoutFactor },
  isRequired,
  onToggle,
}: FactorRoleProps) {
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
      <Switch label={s(role)} description={about} checked={isRequired} onChange={onToggle} size="md" />
    </li>
  );
}
