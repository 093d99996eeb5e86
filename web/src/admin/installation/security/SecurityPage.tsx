import type { Role } from '@classledger/contract';
import { Box, Stack, Switch, Text } from '@mantine/core';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { PageLink } from '../../PageLink.tsx';
import { ConfirmWriteDialog } from '../../page/ConfirmWriteDialog.tsx';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { Page } from '../../page/Page.tsx';
import { Section } from '../../page/Section.tsx';
import { defineWrite } from '../../page/write.ts';
import { texts as shellTexts } from '../../shell/texts.ts';
import { texts } from './texts.ts';

export default function SecurityPage() {
  const t = useTexts(texts);
  return (
    <Page title={t('title')}>
      <Stack maw={640}>
        <Section title={t('rolesTitle')} text={t('rolesText')}>
          <FactorRoles />
        </Section>
        <Section title={t('providersTitle')} text={t('providersText')}>
          <PageLink
            to="/sign-in-providers"
            size="sm"
            underline="always"
            display="inline-block"
            lh="44px"
            mb={-12}
          >
            {t('toProviders')}
          </PageLink>
        </Section>
      </Stack>
    </Page>
  );
}

type FactorRoleData = DataOf<'getSecondFactorRoles'>['roles'][number];

function FactorRoles() {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  const open = useOpenDialog();
  const found = useOperation('getSecondFactorRoles');
  const own = useOperation('getSecondFactor');
  const update = useMutationOf('updateSecondFactorRoles');
  if (!found.data || !own.data) return <LoadingOrError of={[found, own]} rows={4} height={48} />;
  const { roles } = found.data;
  const hasFactor = own.data.codeAppSince !== null || own.data.passkeys.length > 0;
  const chosen = update.isPending ? update.variables.body.roles : null;
  const required = (role: Role) =>
    chosen?.includes(role) ?? roles.some((each) => each.role === role && each.isRequired);
  const choose = ({ role, withoutFactor: count }: FactorRoleData) => {
    if (update.isPending) return;
    const body = {
      roles: roles.map((each) => each.role).filter((each) => required(each) !== (each === role)),
    };
    if (count === 0 || required(role)) {
      update.mutate({ body });
      return;
    }
    // Asks first, because people without a second factor are stopped at their next click.
    update.reset();
    open((dialog) => (
      <ConfirmWriteDialog
        {...dialog}
        title={t('requireTitle')}
        text={t('requireText', { role: s(role), count })}
        confirmLabel={t('require')}
        run={defineWrite('updateSecondFactorRoles', { body }, () => null)}
      />
    ));
  };
  return (
    <>
      <Box component="ul" className="ruled" m="12px 0 0" p={0}>
        {roles.map((each) => {
          const { role, administrators: all, withoutFactor: count } = each;
          const about = count === 0 ? t('everybody', { all }) : t('without', { count, all });
          // Locked if the choice would lock out the user who makes it.
          const isLocked = role === me.role && !hasFactor && !required(role);
          return (
            <Box key={role} component="li" display="block" py={12}>
              <Switch
                label={s(role)}
                description={all === 0 ? t('nobody') : about}
                checked={required(role)}
                onChange={() => choose(each)}
                disabled={isLocked}
                size="md"
              />
              {isLocked && (
                <Text size="sm" mt={6}>
                  {t('yoursFirst')}{' '}
                  <PageLink to="/account" inherit underline="always">
                    {t('toAccount')}
                  </PageLink>
                </Text>
              )}
            </Box>
          );
        })}
      </Box>
      <FailureAlert error={update.error} />
    </>
  );
}
