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
  // Waits for the classes, which decide about the buttons: the pointer must not meet other ones.
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
              {/* An office of the new school usually sets it up. */}
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
