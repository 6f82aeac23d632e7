import com.sun.management.OperatingSystemMXBean;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queries.mlt.MoreLikeThis;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;

/** Lucene's MoreLikeThis over the texts of a folder: index of one thread, each query a text as if new. */
public class MoreLikeThisPeer {
  private static final int REPEATS = 3;

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    List<String> texts = Files.readAllLines(folder.resolve("texts.txt"));
    int[] queries = Arrays.stream(Files.readString(folder.resolve("queries.txt")).trim().split("\n"))
        .mapToInt(Integer::parseInt).toArray();
    Analyzer analyzer = new EnglishAnalyzer();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    double[] seconds = new double[REPEATS];
    double[] cpuSeconds = new double[REPEATS];
    Path index = null;
    for (int i = 0; i < REPEATS; i++) {
      index = folder.resolve("lucene-" + i);
      long started = System.nanoTime();
      long startedCpu = system.getProcessCpuTime();
      build(texts, index, analyzer);
      seconds[i] = (System.nanoTime() - started) / 1e9;
      cpuSeconds[i] = (system.getProcessCpuTime() - startedCpu) / 1e9;
    }
    Arrays.sort(seconds);
    Arrays.sort(cpuSeconds);
    String times =
        "\"indexSeconds\":" + seconds[REPEATS / 2] + ",\"indexCpuSeconds\":" + cpuSeconds[REPEATS / 2];
    StringBuilder json = new StringBuilder("{\"settings\":[");
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(index))) {
      json.append(measure(reader, analyzer, texts, queries, 25, times)).append(',');
      json.append(measure(reader, analyzer, texts, queries, 100, times));
    }
    json.append("],\"peakMiB\":").append(peakMiB()).append('}');
    Files.writeString(folder.resolve("result.json"), json);
  }

  private static void build(List<String> texts, Path index, Analyzer analyzer) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setRAMBufferSizeMB(512);
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(index), config)) {
      for (String text : texts) {
        Document document = new Document();
        document.add(new TextField("text", text, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.commit();
    }
  }

  private static String measure(
      DirectoryReader reader, Analyzer analyzer, List<String> texts, int[] queries, int terms, String times)
      throws Exception {
    IndexSearcher searcher = new IndexSearcher(reader);
    MoreLikeThis like = new MoreLikeThis(reader);
    like.setAnalyzer(analyzer);
    like.setFieldNames(new String[] {"text"});
    like.setMinTermFreq(1);
    like.setMinDocFreq(2);
    like.setMaxQueryTerms(terms);
    like.setMaxNumTokensParsed(Integer.MAX_VALUE);
    List<String> answers = new ArrayList<>();
    List<String> queryMs = new ArrayList<>();
    // The first pass warms the compiler and the index up.
    for (int pass = 0; pass < 2; pass++) {
      answers.clear();
      queryMs.clear();
      for (int page : queries) {
        long started = System.nanoTime();
        ScoreDoc[] found =
            searcher.search(like.like("text", new StringReader(texts.get(page))), 11).scoreDocs;
        queryMs.add(String.format(Locale.ROOT, "%.4f", (System.nanoTime() - started) / 1e6));
        List<String> ids = new ArrayList<>();
        for (ScoreDoc one : found) if (one.doc != page && ids.size() < 10) ids.add(String.valueOf(one.doc));
        answers.add("[" + String.join(",", ids) + "]");
      }
    }
    return "{\"name\":\"" + terms + " terms\"," + times
        + ",\"queryMs\":[" + String.join(",", queryMs) + "],\"answers\":[" + String.join(",", answers) + "]}";
  }

  /** Of the whole process; -1 where the system does not say. */
  private static long peakMiB() throws Exception {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return -1;
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
    }
    return -1;
  }
}
