import { ActionIcon, Paper, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { IconSchool, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { myClassIdsOf, useMe } from '../../me.ts';
import { Heading } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { texts } from './my-classes-texts.ts';

/** Lists the classes of a teacher, for opening the board or the students of a class with one tap. */
export default function MyClasses() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const ids = myClassIdsOf(me);
  if (ids.size === 0)
    return <EmptyState icon={IconSchool} title={t('noClassTitle')} hint={t('noClassHint')} />;
  if (!classes.data) return <LoadingOrError of={[classes]} rows={ids.size} height={72} />;
  return (
    <section aria-label={t('title')}>
      <Heading mb="sm">{t('title')}</Heading>
      <SimpleGrid component="ul" m={0} p={0} cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {classes.data
          .filter(({ id }) => ids.has(id))
          .map(({ id, name, gradeName, studentCount }) => {
            const label = t('studentsOf', { name: `${gradeName} ${name}` });
            return (
              <Paper key={id} component="li" display="flex" withBorder>
                <UnstyledButton
                  renderRoot={(props) => <Link to="/scoring" search={{ class: id }} {...props} />}
                  flex={1}
                  miw={0}
                  mih={72}
                  px="md"
                  py="sm"
                  bdrs="lg"
                >
                  <Text fz="1.125rem" fw={650} style={{ overflowWrap: 'anywhere' }}>
                    {gradeName} {name}
                  </Text>
                  <Hint>{t('studentCount', { count: studentCount })}</Hint>
                </UnstyledButton>
                <ActionIcon
                  renderRoot={(props) => <Link to="/students" search={{ class: id }} {...props} />}
                  variant="subtle"
                  color="gray"
                  w={56}
                  h="auto"
                  aria-label={label}
                  title={label}
                >
                  <IconUsers aria-hidden size={20} />
                </ActionIcon>
              </Paper>
            );
          })}
      </SimpleGrid>
    </section>
  );
}
