import { limits } from 'virtual:contract';

/** So many colours of teams there are. */
export const colours = limits.teamColours;
export const teamsMax = limits.teamsMax;
export const nameLengthMax = limits.nameLengthMax;
