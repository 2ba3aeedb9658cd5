/**
 * What `saber rpc` promises, point by point, and where each point is tested: a dialogue (its file in
 * fixtures/dialogues/rpc) or a test (its file), and words that stand there. tally_test.ts looks them up.
 */

import type { Point } from "../../support/tally.ts";

const STEER_ORDER = '< {"type":"queue_update","steering":["Only US customers."],"id":"${absent}"}';
const PHASES = "tests/modes/rpc/phases_test.ts";

const FLAGS: readonly Point[] = [
  ["-d a file", "idle.txt", "$ rpc -d ${shop.sqlite}"],
  ["-d a saved connection, the default one", "thread.txt", '"connections":{"shop"'],
  ["-d a DSN", "unreachable.txt", '$ rpc -d "postgres://'],
  ["-d several times", "databases.txt", '"names":["shop","orders"]'],
  [
    "--thread goes on before ready",
    "thread.txt",
    '< {"type":"ready","threadId":"${thread}","messageCount":6',
  ],
  ["--no-thread keeps nothing", "idle.txt", '"threadPersistence":false'],
  ["--thread and --no-thread exclude each other", "thread.txt", "2< exclude each other"],
  ["--thinking", "thinking.txt", '--thinking\n< {"type":"ready","thinkingLevel":"medium"}'],
  ["--no-thinking", "thinking.txt", '--no-thinking\n< {"type":"ready","thinkingLevel":"off"}'],
  ["--allow-dangerous", "dangerous.txt", '"affected_rows\\":2'],
  ["--csv-tool-results", "csv.txt", '< {"type":"ready","csvToolResults":true}'],
  [
    "--system-prompt replaces all of the built-in one",
    "tests/modes/rpc/model_requests_test.ts",
    "replaces all of the",
  ],
  ["--system-prompt TEXT", "system_prompt.txt", '--system-prompt "Answer in verse."'],
  ["--system-prompt PATH", "system_prompt.txt", "--system-prompt ${dir}/prompt.txt"],
];

const PROCESS: readonly Point[] = [
  ["standard output is the protocol's", "signals.txt", "2= "],
  [
    "what a library prints does not land there",
    "tests/modes/rpc/quiet_test.ts",
    "what a library prints goes to stderr",
  ],
  ["the log goes to its file", "tests/modes/rpc/log_test.ts", "the log tells of runs"],
  ["no database: one line, exit 1", "start.txt", "Use 'sqlsaber db add <name>' to add one."],
  ["exit 0 after a shutdown", "idle.txt", '"id":"bye"}\n! 0'],
  ["exit 0 at the end of the input", "idle.txt", "@end\n! 0"],
  ["exit 1 when a start fails", "start.txt", 'nobody/}"}\n! 1'],
  ["exit 2 for a wrong command line, nothing on stdout", "start.txt", "$ rpc --nope\n! 2"],
  ["ready does not wait for input", "signals.txt", '< {"type":"ready"}\n@signal SIGTERM'],
];

const LINES: readonly Point[] = [
  ["a carriage return before the end is dropped", "broken_lines.txt", "7d 0d 0a"],
  ["blank lines mean nothing", "broken_lines.txt", "@bytes 0d 0a 0a"],
  ["only LF ends a line", "lines.txt", '"content":"a\\u2028b\\u2029c\\u0085"'],
  ["UTF-8 both ways", "lines.txt", '"id":"東京 🦕"'],
  ["bytes that are no UTF-8", "broken_lines.txt", "Command is not valid UTF-8"],
  ["no JSON", "broken_lines.txt", "/^Failed to parse command: ./"],
  ["JSON that is no object", "broken_lines.txt", "> [{"],
  ["no type", "broken_lines.txt", '> {"id":1}'],
  ["an empty type", "broken_lines.txt", '> {"type":"","id":1}'],
  ["a type that is no text", "broken_lines.txt", '> {"type":7}'],
  ["a line over 1 MiB: one error, the rest dropped", "broken_lines.txt", "> ${x*3000000}"],
  ["exactly 1 MiB is taken", "broken_lines.txt", "${x*1048557}"],
  ["the last line needs no end", "broken_lines.txt", '>| {"type":"get_last_assistant_text","id":9}'],
  ["an unknown type", "broken_lines.txt", "Unknown command: drop_everything"],
  ["the id comes back: text", "ids.txt", '< {"success":true,"id":"a"}'],
  ["the id comes back: an integer of any size", "ids.txt", '<~ "id":9007199254740993'],
  ["no id, and null", "ids.txt", '"id":null}\n< {"success":true,"id":"${absent}"}'],
  [
    "an id of another kind",
    "ids.txt",
    '"command":"nothing","success":false,"error":"id must be a string or integer"',
  ],
  ["events have no id", "prompt.txt", '{"type":"message_update","id":"${absent}"'],
  ["unknown members are ignored", "idle.txt", '"unknown":"fields are ignored"'],
  ["numbers have every digit, others are named", "values.txt", '"d":120340.50,"a":"nan","b":"-inf"'],
];

const PARAMETERS: readonly Point[] = [
  ["prompt without a message", "broken_parameters.txt", '> {"type":"prompt","id":1}'],
  ["prompt with a blank message", "broken_parameters.txt", '"message":" \\t"'],
  ["prompt with a message that is no text", "broken_parameters.txt", '"message":7'],
  [
    "steer without, with a blank, with another message",
    "broken_parameters.txt",
    '{"type":"steer","message":["hi"]}',
  ],
  ["images of a prompt", "broken_parameters.txt", '"message":"hi","images":[]'],
  ["images of a steer", "broken_parameters.txt", '"message":"hi","images":["a"]'],
  ["parentSession", "broken_parameters.txt", '"parentSession":"a"'],
  ["followUp", "broken_parameters.txt", '"followUp\\" is not supported.'],
  ["another streamingBehavior", "broken_parameters.txt", 'streamingBehavior must be \\"steer\\"'],
  ["another level", "thinking.txt", "level must be one of: off, minimal, low, medium, high, maximum"],
  ["no resultId", "broken_parameters.txt", '> {"type":"get_query_result"}'],
  ["a negative offset", "broken_parameters.txt", '"offset":-1'],
  ["an offset that is no integer", "broken_parameters.txt", '"offset":0.5'],
  ["a limit of 0", "broken_parameters.txt", '"limit":0'],
  ["a limit above 5000", "broken_parameters.txt", '"limit":5001'],
  ["no artifactId", "broken_parameters.txt", '> {"type":"get_artifact","id":3}'],
];

const STATES: readonly Point[] = [
  ["a prompt in mid-run", "running.txt", "A query is already running."],
  ["new_session in mid-run", "idle_only.txt", '"command":"new_session","success":false'],
  ["set_thinking_level in mid-run", "idle_only.txt", '"command":"set_thinking_level","success":false'],
  ["reload_model in mid-run", "idle_only.txt", '"command":"reload_model","success":false'],
  ["get_tables in mid-run", "idle_only.txt", '"command":"get_tables","success":false'],
  ["get_state in mid-run", "idle_only.txt", '"data":{"state":"running"'],
  ["get_messages in mid-run: what was committed", "idle_only.txt", '"data":{"messages":[]}'],
  ["get_last_assistant_text in mid-run", "idle_only.txt", '"data":{"text":null}'],
  ["get_query_result in mid-run", "idle_only.txt", '"resultId":"qr_none"'],
  ["clear_queue in mid-run", "idle_only.txt", '< {"id":9,"success":true,"data":{"steering":[]}}'],
  ["steer while idle", "steer.txt", 'No query is running. Send {\\"type\\":\\"prompt\\"} instead.'],
  ["a command behind a shutdown", "closed.txt", '"error":"Session is closed","id":2'],
  ["an unknown result", "broken_parameters.txt", "/qr_gone.*unavailable|unavailable.*qr_gone/"],
  [
    "an unknown artifact",
    "artifacts.txt",
    'Artifact \\"art_00000000000000000000000000000000\\" is unavailable.',
  ],
  ["an artifact of another conversation", "artifacts.txt", 'Artifact \\"${parquet}\\" is unavailable.'],
  ["errors hold no password", "unreachable.txt", "2! hush"],
  ["errors hold no key", "tests/modes/rpc/log_test.ts", "no argument, no path and no key"],
];

const COMMANDS: readonly Point[] = [
  ["prompt is accepted without data", "steer.txt", '"success":true,"id":"q","data":"${absent}"'],
  ["prompt as steer while idle", "prompt.txt", '"message":"Again.","streamingBehavior":"steer"'],
  ["prompt as steer in mid-run", "steer.txt", '"command":"prompt","success":true,"id":2,"data":{"enqueueId"'],
  ["steer", "steer.txt", '"pendingSteers":["Second.","Third."]}}'],
  [
    "clear_queue gives back",
    "steer.txt",
    '"command":"clear_queue","success":true,"id":4,"data":{"steering":["First."]}',
  ],
  ["clear_queue while idle", "steer.txt", '"data":{"steering":[]},"id":2'],
  ["abort", "running.txt", '"command":"abort","success":true,"data":{"aborted":true},"id":5'],
  ["abort while idle", "idle.txt", '"command":"abort","success":true,"data":{"aborted":false},"id":"a"'],
  [
    "new_session",
    "thread.txt",
    '> {"type":"new_session"}\n< {"success":true,"data":{"threadId":null,"messageCount":0}}',
  ],
  ["get_state: State without protocolVersion", "idle.txt", '"protocolVersion":"${absent}"'],
  ["get_messages", "prompt.txt", '"data":{"messages":[{"role":"user"'],
  ["get_last_assistant_text", "prompt.txt", '{"data":{"text":"Es gibt'],
  ["get_last_assistant_text before any", "idle.txt", '{"data":{"text":null}}'],
  ["set_thinking_level", "thinking.txt", '"command":"set_thinking_level","success":true'],
  ["reload_model keeps the history", "reload_model.txt", '"thinkingLevel":"low","messageCount":2'],
  ["reload_model that fails changes nothing", "reload_model.txt", '"id":"openai:second"},"messageCount":4'],
  ["get_tables", "databases.txt", '"kind":"table","qualifiedName":"main.customers"'],
  ["get_query_result: 500 rows unless told", "query.txt", '"offset":0,"limit":500'],
  ["get_query_result: pages, hasMore", "query.txt", '"offset":3,"limit":1,"hasMore":true'],
  ["get_query_result past the end", "query.txt", '"offset":5,"hasMore":false,"rows":[]'],
  ["get_query_result of a resumed thread", "thread.txt", '"resultId":"${result}","limit":1'],
  ["get_artifact", "artifacts.txt", '"command":"get_artifact","success":true,"id":1,"data":{"artifact"'],
  ["get_artifact of a resumed thread", "artifacts.txt", '"artifact":{"id":"${parquet}","kind":"file"}'],
  [
    "shutdown has no data",
    "idle.txt",
    '<= {"type":"response","command":"shutdown","success":true,"id":"bye"}',
  ],
];

const EVENTS: readonly Point[] = [
  ["ready", "idle.txt", '< {"type":"ready","protocolVersion":1'],
  ["agent_start with promptId", "prompt.txt", '<= {"type":"agent_start","promptId":"q1"}'],
  ["agent_start without", "prompt.txt", '<= {"type":"agent_start"}'],
  ["queue_update", "steer.txt", STEER_ORDER],
  ["message_start", "prompt.txt", '<= {"type":"message_start"}'],
  ["message_end", "prompt.txt", '"type":"message_end","message":{"role":"assistant"'],
  ["sql_update", "query.txt", '"type":"sql_update","toolCallId":"call_b3Nf8vJd0ZpE"'],
  ["sql_update never goes back, never repeats", "tests/agent/sql_preview_test.ts", "every cut"],
  ["tool_execution_start", "query.txt", '<= {"type":"tool_execution_start"'],
  [
    "tool_execution_end",
    "query.txt",
    '"type":"tool_execution_end","toolName"'.replace('"toolName"', '"toolCallId"'),
  ],
  ["tool_execution_end with a result", "query.txt", '"queryResult":{"id":"${=handle}"'],
  ["tool_execution_end with artifacts", "artifacts.txt", '"artifacts":[{"id":"${=csv}"'],
  ["a tool that failed", "failing_model.txt", '"isError":true,"result":"${/list_tables/}"'],
  ["agent_end completed", "prompt.txt", '"queryResults":[],"artifacts":[],"usage":{"requests":1'],
  ["agent_end aborted: the status alone", "running.txt", '<= {"type":"agent_end","status":"aborted"}'],
  ["agent_end error", "failing_model.txt", '"status":"error","error":"${/401/}","text":"${absent}"'],
  ["text_start", "prompt.txt", '"type":"text_start","contentIndex":0'],
  ["text_delta", "prompt.txt", '"type":"text_delta","contentIndex":0,"delta":"Es"'],
  ["text_end", "prompt.txt", '"type":"text_end"'],
  ["thinking_start", "thinking.txt", '"type":"thinking_start","contentIndex":0'],
  ["thinking_delta", "thinking.txt", '"type":"thinking_delta"'],
  ["thinking_end", "thinking.txt", '"type":"thinking_end"'],
  ["toolcall_start", "tool_call.txt", '"type":"toolcall_start","contentIndex":0'],
  ["toolcall_delta: a raw piece of the arguments", "tool_call.txt", '"type":"toolcall_delta"'],
  ["toolcall_end", "query.txt", '"type":"toolcall_end"'],
  ["usage of a message", "prompt.txt", '"usage":{"inputTokens":311,"outputTokens":14}}}'],
  ["usage of a run", "query.txt", '"usage":{"requests":3,"toolCalls":2}'],
  ["stopReason stop", "stop_reasons.txt", '"stopReason":"stop"'],
  ["stopReason length", "stop_reasons.txt", '"stopReason":"length"'],
  ["stopReason toolUse", "stop_reasons.txt", '"stopReason":"toolUse"'],
  ["stopReason contentFilter", "stop_reasons.txt", '"stopReason":"contentFilter"'],
  ["every line is in the contract", "tests/support/play_dialogue.ts", "readContractLine(line)"],
  ["every line is in the printed schema", "tests/dialogues_test.ts", "playDialogue(text, { check })"],
];

const ORDER: readonly Point[] = [
  ["responses come in the order of their commands", "tests/modes/rpc/contract_test.ts", "NAMES);"],
  [
    "nothing of a run precedes its response",
    "prompt.txt",
    '"id":"q1"}\n<= {"type":"agent_start","promptId":"q1"}',
  ],
  ["a steer: its response, then queue_update", "steer.txt", STEER_ORDER],
  ["a steer right behind its prompt", "steer.txt", '"message":"At once."'],
  [
    "a delivery: queue_update, then message_start",
    "steer.txt",
    '{"type":"queue_update","steering":[]}\n< {"type":"message_start"}',
  ],
  [
    "a steer is a message of the turn",
    "steer.txt",
    '{"role":"user","content":"Only US customers.","timestamp"',
  ],
  ["a steer into the last message: one more request", "steer.txt", '"usage":{"requests":2}'],
  [
    "an abort with a queue: queue_update, agent_end, response",
    "steer.txt",
    '<* {"type":"queue_update","steering":[]}\n<= {"type":"agent_end","status":"aborted"}\n<= {"type":"response","command":"abort"',
  ],
  [
    "several aborts are answered after the one agent_end",
    "running.txt",
    "every abort is answered after the one agent_end",
  ],
  ["an abort in the breath of its prompt", "running.txt", "an abort in the same breath"],
  ["an abort is hard after half a second", "tests/agent/session_test.ts", "is left after half a second"],
  ["an abort in each phase, on each engine", PHASES, "`an abort ${name}`"],
  [
    "a steer in each phase is delivered once",
    "tests/modes/rpc/steers_test.ts",
    "`a steer ${name}, delivered once`",
  ],
  ["a steer in each phase, taken back by an abort", PHASES, "`a steer, then an abort ${name}`"],
  ["a shutdown in each phase: agent_end, response, exit 0", PHASES, "`a shutdown ${name}`"],
  ["the end of the input in each phase", PHASES, "`the end of the input ${name}`"],
  ["SIGTERM in each phase", PHASES, "`SIGTERM ${name}`"],
  ["SIGINT", "signals.txt", "@signal SIGINT"],
  ["a shutdown in mid-run", "shutdown_while_running.txt", '"command":"shutdown","success":true,"id":2'],
  ["an aborted turn leaves no trace", "running.txt", '< {"data":{"state":"idle","messageCount":0}}'],
  ["a failed turn leaves no trace", "failing_model.txt", '< {"data":{"state":"idle","messageCount":0}}'],
  ["a turn is saved before its agent_end is told", "tests/modes/rpc/kills_test.ts", "KILLS = 200"],
  [
    "a turn that waits to be saved holds up nothing",
    "tests/modes/rpc/busy_store_test.ts",
    "the state is told meanwhile",
  ],
  ["two processes on one thread lose nothing", "tests/modes/rpc/two_hosts_test.ts", "lose no turn"],
];

const START: readonly Point[] = [
  ["an unknown thread", "thread.txt", "there is no such thread."],
  ["a thread on a file asks for -d", "thread.txt", "/^Cannot resume the thread: .* -d\\\\.$/"],
  ["an unknown name", "start.txt", "$ rpc -d nobody"],
  ["a missing file", "start.txt", "absent.sqlite"],
  ["a file that cannot be read as a database", "start.txt", "notes.db"],
  ["a bad DSN, its password untold", "start.txt", "2! secret"],
  ["no model", "start.txt", '"error":"${/model/}"'],
  ["no key for the model", "start.txt", "OPENAI_API_KEY"],
  [
    "an unreachable server: ready, then an error where it is used",
    "unreachable.txt",
    '"isError":true,"result":"${/^(?!.*hush).*Cannot connect/}"',
  ],
  ["type PostgreSQL", "unreachable.txt", '"type":"PostgreSQL"'],
  ["type MySQL", "unreachable.txt", '"type":"MySQL"'],
  ["type SQLite", "idle.txt", '"type":"SQLite"'],
  ["type DuckDB", "values.txt", '"type":"DuckDB"'],
  ["the minimal Python client", "tests/modes/rpc/python_client_test.ts", "works unchanged"],
];

export const TALLY: readonly Point[] = [
  ...[FLAGS, PROCESS, LINES, PARAMETERS, STATES, COMMANDS, EVENTS, ORDER, START].flat(),
];
