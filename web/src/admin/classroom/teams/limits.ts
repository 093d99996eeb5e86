import { limits } from 'virtual:contract';

export const colours = limits.teamColours;
export const teamsMax = limits.teamsMax;
export const nameLengthMax = limits.nameLengthMax;
