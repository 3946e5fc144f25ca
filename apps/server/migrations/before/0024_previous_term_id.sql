UPDATE "conference_command" SET "command" = ("command" - 'heir') || jsonb_build_object('previousTermId', "command" -> 'heir') WHERE "verb" = 'arrive';
