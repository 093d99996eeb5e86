import { limits } from 'virtual:contract';

/** Number of team colours. */
export const colours = limits.teamColours;
export const teamsMax = limits.teamsMax;
export const nameLengthMax = limits.nameLengthMax;
