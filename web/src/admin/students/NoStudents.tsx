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
  /** How to get some, and what for. */
  readonly hint: string;
  readonly onAdd: () => void;
}

/** Stands where there is no student in the caller's range yet: how to begin. */
export function NoStudents({ hint, onAdd }: NoStudentsProps) {
  const t = useTexts(texts);
  const mayDo = useMayDo();
  const { schoolDb } = useSchool();
  const { data: known, isPending } = useOperation('listSchoolClasses', { query: { schoolDb } });
  // Other buttons would take the place of these under the pointer once the classes are known.
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
              {/* A new school is mostly set up by its own office. */}
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
