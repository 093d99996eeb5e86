import { useMayDo } from '../../me.ts';
import { useSchools } from '../../school.tsx';
import { InstallationOverview } from './InstallationOverview.tsx';
import { SchoolDashboard } from './SchoolDashboard.tsx';

export function DashboardPage() {
  const mayDo = useMayDo();
  const { schools, school, isChosen } = useSchools();
  const isOpenChoice = mayDo('manageSchools') && !isChosen && schools.length > 1;
  return school === null || isOpenChoice ? <InstallationOverview /> : <SchoolDashboard />;
}
