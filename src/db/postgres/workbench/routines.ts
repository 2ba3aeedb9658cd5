/**
 * Calls and first texts of PostgreSQL's routines.
 */
import { quoteName, quoteText } from "../../sql_text.ts";
import { qualified } from "../../standard_definitions.ts";
import type { RoutineSql } from "../../workbench.ts";

export const ROUTINES: RoutineSql = {
  call: (routine, { kind, args }) => {
    const isProcedure = kind.toUpperCase() === "PROCEDURE";
    const wanted = args.filter(({ mode }) => isProcedure || mode.toUpperCase() !== "OUT");
    const values = wanted.map(({ mode, value, is_raw }) => {
      if (value === null || mode.toUpperCase() === "OUT") return "NULL";
      return is_raw ? value : quoteText(value);
    });
    const call = `${qualified(routine, quoteName)}(${values.join(", ")})`;
    return isProcedure ? `CALL ${call}` : `SELECT * FROM ${call}`;
  },
  template: (kind, schema) => {
    const name = qualified({ schema, table: "new_routine" }, quoteName);
    return kind.toUpperCase() === "PROCEDURE"
      ? `CREATE OR REPLACE PROCEDURE ${name}(value integer)\nLANGUAGE plpgsql\nAS $$\nBEGIN\n  RAISE NOTICE '%', value;\nEND;\n$$;`
      : `CREATE OR REPLACE FUNCTION ${name}(value integer)\nRETURNS integer\nLANGUAGE plpgsql\nAS $$\nBEGIN\n  RETURN value;\nEND;\n$$;`;
  },
};
