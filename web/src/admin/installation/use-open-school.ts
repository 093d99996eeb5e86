import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useSchools } from '../school.tsx';

/** The message that offers the way into a school. */
export const wayInId = (schoolDb: string) => `school-${schoolDb}`;

/** Makes a school the one that all pages are about, and shows its dashboard. */
export function useOpenSchool(): (schoolDb: string) => void {
  const { choose } = useSchools();
  const navigate = useNavigate();
  return (schoolDb) => {
    notifications.hide(wayInId(schoolDb));
    choose(schoolDb);
    void navigate({ to: '/', search: { school: schoolDb } });
  };
}
