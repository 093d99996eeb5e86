/**
 * Builds a statement that reads when the current terms of classes began: at the end of the last closed term, or when
 * the class was created.
 *
 * @param condition selects the classes; $1 is the school
 */
export const termStarts = (condition: string) => `
    SELECT id AS "classId", coalesce(
      (SELECT max(m.closed_at) FROM term m WHERE m.school_id = $1 AND m.class_id = class.id), created_at
    ) AS "startedAt"
    FROM class WHERE ${condition}`;
