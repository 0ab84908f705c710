package mutants

// media is what bounds and cleans an upload.
var media = []mutant{
	{
		file: "internal/media/header.go", old: "case h.memory > l.Memory:", new: "case false:",
		pkg: "./internal/media", test: "TestBombs",
		why: "a form of a file that takes many bytes a pixel takes the memory of the process",
	},
	{
		file: "internal/media/jpeg.go", old: "scans > maxScans", new: "scans > 1_000_000",
		pkg: "./internal/media", test: "TestBombs",
		why: "a JPEG of a thousand scans keeps the processor busy for minutes",
	},
	{
		file: "internal/media/webp.go", old: "if canvas != nil && (h.width != width || h.height != height) {",
		new: "if false {",
		pkg: "./internal/media", test: "TestBombs",
		why: "a canvas says another size than the picture that is decoded",
	},
	{
		file: "internal/media/scale.go", old: "turned := s.orientation > 4", new: "turned := s.orientation > 8",
		pkg: "./internal/media", test: "TestOrientation",
		why: "a photo that was taken upright lies on its side",
	},
	{
		file: "internal/media/media.go", old: "make(chan struct{}, 1)", new: "make(chan struct{}, 2)",
		pkg: "./internal/media", test: "TestWaits",
		why: "two pictures are decoded at a time, and need twice the memory",
	},
	{
		file: "internal/media/clean.go", old: "\t\tc.blank(trak)\n", new: "",
		pkg: "./internal/media", test: "TestVideo",
		why: "a track with the places along the way is published",
	},
	{
		file: "internal/media/clean.go", old: "\tclear(d[4:12])\n", new: "",
		pkg: "./internal/media", test: "TestVideo",
		why: "a video tells when it was taken",
	},
	{
		file: "internal/media/video.go", old: "} else if !part.keep {", new: "} else if false {",
		pkg: "./internal/media", test: "TestVideo",
		why: "bytes that belong to no sample are published: an archive, a script, places",
	},
	{
		file: "internal/media/clean.go", old: "return d.from <= s.from && s.to <= d.to", new: "return d.from <= s.from",
		pkg: "./internal/media", test: "TestVideoRefused",
		why: "samples lie outside of the data, in the index or in a box that is blanked",
	},
	{
		file: "store/tweets/media.go",
		old:  "{Path: fields.ExpireAt, Value: firestore.Delete}}, firestore.LastUpdateTime(f.Snap.UpdateTime))",
		new:  "{Path: fields.ExpireAt, Value: firestore.Delete}}, firestore.Exists)",
		pkg:  "./store/media", test: "TestTwoTweets",
		why: "two tweets take one picture, and the deletion of one takes it from the other",
	},
	{
		file: "store/media/writer.go", old: "if !there {\n\t\treturn w.removeFiles(ctx, id)\n\t}", new: "",
		pkg: "./store/media", test: "TestOrphans",
		why: "files of a record that was deleted meanwhile stay for ever",
	},
	{
		file: "store/media/writer.go", old: "case !found:\n\t\treturn w.removeFiles(ctx, id)",
		new: "case !found:\n\t\treturn w.o.Uploads.Remove(ctx, name)",
		pkg: "./store/media", test: "TestOrphans",
		why: "a process is killed after the files, the record goes, and the repeated event leaves them",
	},
	{
		file: "model/media.go", old: "until.After(most)", new: "until.After(most) && false",
		pkg: "./store/media", test: "TestDraftsEnd",
		why: "media of a draft stay for ever, because it is scheduled again and again",
	},
	{
		file: "store/media/writer.go", old: "if info.Size > m.DeclaredBytes {", new: "if false {",
		pkg: "./store/media", test: "TestGenerations",
		why: "a client uploads more than it announced",
	},
	{
		file: "internal/objects/versions.go", old: ".Object(name).Generation(generation)}", new: ".Object(name)}",
		pkg: "./store/media", test: "TestGenerations",
		why: "an event reads or removes the file of a later upload",
	},
	{
		file: "store/media/writer.go", old: "string(id) + string('/'+1)", new: "string(id) + \"/\"",
		pkg: "./store/verify", test: "TestManyMedia",
		why: "the files of the last record of a part seem to have no record in the next part",
	},
	{
		file: "store/verify/media.go", old: "case f.ID != orphan && f.Written.Before(old):",
		new: "case f.ID != orphan && !old.IsZero():",
		pkg: "./store/verify", test: "TestMedia",
		why: "a repair removes files that a function wrote, before their record says so",
	},
	{
		file: "store/verify/media.go", old: "q = q.EndAt(string(r.to))", new: "q = q.Limit(r.limit - 1)",
		pkg: "./store/verify", test: "TestManyMedia",
		why: "the second snapshot of a part has not the records of the first",
	},
	{
		file: "store/media/writer.go", old: "if err != nil || there {\n\t\treturn err\n\t}\n\treturn w.removeFiles(ctx, id)",
		new: "if err != nil {\n\t\treturn err\n\t}\n\t_ = there\n\treturn w.removeFiles(ctx, id)",
		pkg: "./store/media", test: "TestOrphans",
		why: "the files of a record that is there go",
	},
	{
		file: "store/media/serving.go", old: "scope(t.Visibility, t.IsViolative)) {", new: "scope(model.Followers, false)) {",
		pkg: "./store/media", test: "TestServing",
		why: "a signed address works after the tweet was narrowed further or flagged",
	},
	{
		file: "store/media/serving.go", old: "return s.db.Now().Unix() < by.Expires && ", new: "return ",
		pkg: "./store/media", test: "TestServing",
		why: "a signed address works for ever",
	},
	{
		file: "store/media/serving.go", old: "if m.Attached() {", new: "if true {",
		pkg: "./store/media", test: "TestServing",
		why: "a process does not learn that a tweet took the picture",
	},
	{
		file: "store/media/serving.go", old: "if gone && known {", new: "if gone && known && false {",
		pkg: "./store/media", test: "TestKept",
		why: "a process that has seen a picture in a deleted tweet never shows it in the next one",
	},
	{
		file: "store/tweets/deletion.go", old: "d.KeepMedia && t.AuthorID == d.By", new: "d.KeepMedia",
		pkg: "./api", test: "TestKeepMediaOfOthers",
		why: "the author has the media of a tweet that an administrator deleted",
	},
	{
		file: "store/tweets/media.go", old: "{Path: fields.Alt, Value: db.OrDelete(alt, alt == \"\")}",
		new: "{Path: fields.Alt, Value: db.OrDelete(alt, true)}", pkg: "./api", test: "TestKeepMedia",
		why: "a tweet that is written anew has lost the descriptions of its pictures",
	},
	{
		file: "store/tweets/media.go", old: "if is.ExpireAt.Before(until) {", new: "if false {",
		pkg: "./store/media", test: "TestDrafts",
		why: "the pictures of a scheduled tweet are gone when it is posted",
	},
	{
		file: "store/users/pictures.go", old: "b.Delete(former.Snap.Ref, same)", new: "_ = same",
		pkg: "./store/media", test: "TestProfile",
		why: "a picture that a moderator takes off a profile can still be loaded",
	},
}
