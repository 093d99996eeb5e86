import type { ClassroomTool } from '@classledger/contract';
import { useSchools } from './school.tsx';

/** Which classroom tools the school has. Pages do not offer one that the school has switched off. */
export function useTools(): (tool: ClassroomTool) => boolean {
  const { school } = useSchools();
  return (tool) => school !== null && !school.switchedOffTools.includes(tool);
}

/** Whether the school has a classroom tool. */
export function useTool(tool: ClassroomTool): boolean {
  return useTools()(tool);
}
