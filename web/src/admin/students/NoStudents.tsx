import { Button, Group } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo } from '../me.ts';
import { useSchool } from '../school.tsx';
import { texts } from './texts.ts';

interface NoStudentsProps {
  readonly hint: string;
  readonly onAdd: () => void;
}

export function NoStudents({ hint, onAdd }: NoStudentsProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const { schoolDb } = useSchool();
  const { data: known, isPending } = useOperation('listSchoolClasses', { query: { schoolDb } });
  // Shows no buttons before the classes are known, because the buttons would change under the pointer.
  if (isPending) return <EmptyState icon={IconUsers} title={t('emptyTitle')} />;
  const begin =
    known?.length === 0 && mayDo('manageClasses')
      ? {
          hint: t('emptyHintNoClass'),
          action: (
            <Group justify="center" mt="xs">
              <Button variant="default" component={Link} to="/structure">
                {t('toStructure')}
              </Button>
              {/* Leads to the administrators, because a school's own office usually sets up the school. */}
              {mayDo('manageSchools') && (
                <Button variant="default" component={Link} to="/administrators">
                  {t('toAdministrators')}
                </Button>
              )}
              <Button component={Link} to="/students/import">
                {t('importList')}
              </Button>
            </Group>
          ),
        }
      : {
          hint,
          action: (
            <Group justify="center" mt="xs">
              <Button variant="default" onClick={onAdd}>
                {t('addStudent')}
              </Button>
              <Button component={Link} to="/students/import">
                {t('importList')}
              </Button>
            </Group>
          ),
        };
  return <EmptyState icon={IconUsers} title={t('emptyTitle')} {...begin} />;
}
