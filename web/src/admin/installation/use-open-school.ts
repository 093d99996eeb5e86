import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useSchools } from '../school.tsx';

/** Returns the id of the notice with the link to a new school. */
export const openSchoolNoticeId = (schoolDb: string) => `school-${schoolDb}`;

/** Returns a function that chooses a school and opens its dashboard. */
export function useOpenSchool(): (schoolDb: string) => void {
  const { choose } = useSchools();
  const navigate = useNavigate();
  return (schoolDb) => {
    notifications.hide(openSchoolNoticeId(schoolDb));
    choose(schoolDb);
    void navigate({ to: '/', search: { school: schoolDb } });
  };
}
