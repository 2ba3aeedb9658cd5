/**
 * The kinds of syntax nodes that a statement may consist of. What is not listed is refused, also what PostgreSQL may
 * invent later.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Queries and what they are made of. */
export const READING = words(`
  SelectStmt ResTarget ColumnRef A_Star A_Const A_Expr BoolExpr FuncCall NamedArgExpr TypeCast TypeName CollateClause
  String Integer Float Boolean BitString List
  RangeVar RangeSubselect RangeFunction RangeTableFunc RangeTableFuncCol RangeTableSample JoinExpr Alias ColumnDef
  WithClause CommonTableExpr CTESearchClause CTECycleClause
  SubLink CaseExpr CaseWhen CoalesceExpr MinMaxExpr NullTest BooleanTest SQLValueFunction
  A_ArrayExpr A_Indirection A_Indices RowExpr SortBy WindowDef GroupingSet GroupingFunc XmlExpr XmlSerialize
  JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonObjectAgg JsonArrayAgg JsonAggConstructor
  JsonValueExpr JsonOutput JsonFormat JsonReturning JsonKeyValue JsonIsPredicate JsonParseExpr JsonScalarExpr
  JsonSerializeExpr JsonFuncExpr JsonArgument JsonBehavior JsonTable JsonTableColumn JsonTablePathSpec
`);

/** Besides, the plan of a query. */
export const EXPLAINING = words("ExplainStmt DefElem");

/** Options of EXPLAIN that do not run the statement. */
export const EXPLAIN_OPTIONS = words("verbose costs settings generic_plan buffers summary memory format");

/** Besides, changes of rows, and new or extended tables, views and indexes. */
export const WRITING = words(`
  InsertStmt UpdateStmt DeleteStmt OnConflictClause InferClause IndexElem SetToDefault MultiAssignRef
  ReturningClause ReturningOption
  CreateStmt ColumnDef Constraint TableLikeClause PartitionSpec PartitionElem PartitionBoundSpec DefElem
  CreateTableAsStmt ViewStmt IndexStmt AlterTableStmt AlterTableCmd RenameStmt
`);

/** What a statement that writes may be. */
export const WRITES = words(`
  InsertStmt UpdateStmt DeleteStmt CreateStmt CreateTableAsStmt ViewStmt IndexStmt AlterTableStmt RenameStmt
`);

/** What ALTER TABLE may do. */
export const ALTERATIONS = words(`
  AT_AddColumn AT_AddConstraint AT_AddIndexConstraint AT_AlterColumnType AT_ColumnDefault AT_DropNotNull AT_SetNotNull
`);

/** What may be renamed. */
export const RENAMED = words("OBJECT_TABLE OBJECT_COLUMN OBJECT_VIEW OBJECT_INDEX OBJECT_MATVIEW");
