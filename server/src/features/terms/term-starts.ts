/**
 * A statement that tells since when classes are in their current term: since the one before was closed, the first since the
 * class is there.
 *
 * @param condition of the classes; $1 is the school
 */
export const termStarts = (condition: string) => `
    SELECT id AS "classId", coalesce(
      (SELECT max(m.closed_at) FROM term m WHERE m.school_id = $1 AND m.class_id = class.id), created_at
    ) AS "startedAt"
    FROM class WHERE ${condition}`;
