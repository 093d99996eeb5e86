import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useSchools } from '../school.tsx';

export const openSchoolNoticeId = (schoolDb: string) => `school-${schoolDb}`;

export function useOpenSchool(): (schoolDb: string) => void {
  const { choose } = useSchools();
  const navigate = useNavigate();
  return (schoolDb) => {
    notifications.hide(openSchoolNoticeId(schoolDb));
    choose(schoolDb);
    void navigate({ to: '/', search: { school: schoolDb } });
  };
}
